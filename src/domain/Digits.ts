/**
 * Decimal digits at a fixed place of a text: what the strict date and time forms are made of.
 */

/** The number that `length` digits from `start` on write; NaN if one of them is no digit. */
export const read = (text: string, start: number, length: number): number => {
  let value = 0
  for (let i = start; i < start + length; i++) {
    const digit = text.charCodeAt(i) - 48
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    value = value * 10 + digit
  }
  return value
}

/** A whole number from 0 up, with leading zeros to the given length. */
export const write = (value: number, length: number): string => String(value).padStart(length, "0")
