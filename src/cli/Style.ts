/**
 * Marks on text for people, which are left out where they are not wanted. Text from elsewhere goes through
 * `Table.printable` first, and so holds none.
 */
const paint =
  (code: number) =>
  (text: string): string =>
    `\u001B[${code}m${text}\u001B[0m`

export const bold = paint(1)
export const red = paint(31)
export const green = paint(32)
export const yellow = paint(33)

// eslint-disable-next-line no-control-regex
const MARKS = /\u001B\[\d+m/gu

/** The text without its marks. */
export const strip = (text: string): string => text.replaceAll(MARKS, "")
