/**
 * Figures as people read them.
 */
import { median } from "../measure/Statistics.ts"

/** Three digits that count, and a comma at every thousand. */
export const format = (value: number): string => {
  if (!Number.isFinite(value)) return "–"
  const digits = value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))))
  return value.toLocaleString("en-US", { maximumFractionDigits: Math.min(digits, 4) })
}

export const withUnit = (value: number, unit: string): string => `${format(value)} ${unit}`.trimEnd()

/** The median of samples, and between which they lie. */
export const summary = (samples: ReadonlyArray<number>, unit: string): string => {
  const range = samples.length > 1 ? ` (${format(Math.min(...samples))}–${format(Math.max(...samples))})` : ""
  return `${withUnit(median(samples), unit)}${range}`
}
