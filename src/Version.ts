/** The version of the package, as its command and its servers tell it. */
export const VERSION = "0.1.0"
