/**
 * How deep values are nested: JSON may be any depth, but whoever writes it anew goes down by a call for each level.
 */

/** The most levels that are read. */
export const MAX_DEPTH = 500

/** Whether there are values within each other beyond that. */
export const isTooDeep = (value: unknown): boolean => {
  let level: ReadonlyArray<unknown> = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []))
  }
  return false
}
