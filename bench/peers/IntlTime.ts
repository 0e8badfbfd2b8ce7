/**
 * Local time by `Intl` alone, as it is done by hand: guess, ask what the clocks show then, and guess again.
 */

export const make = (zone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric"
  })

const shown = (format: Intl.DateTimeFormat, instant: number): number => {
  const [month, day, year, hour, minute, second] = (format.format(instant).match(/\d+/gu) ?? []).map(Number)
  return Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute, second)
}

/** The first instant at which the clocks show a local time; NaN in a gap. Offsets are looked for a day to each side. */
export const toInstant = (format: Intl.DateTimeFormat, local: number): number => {
  const second = Math.floor(local / 1_000) * 1_000
  const day = 86_400_000
  const before = second - (shown(format, second - day) - (second - day))
  if (shown(format, before) === second) return before + (local - second)
  const after = second - (shown(format, second + day) - (second + day))
  return shown(format, after) === second ? after + (local - second) : Number.NaN
}
