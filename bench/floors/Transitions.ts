/**
 * A zone as a table of integers, made beforehand: the least that any answer about local time can cost.
 */

/** From `starts[n]` on the clocks keep `offsets[n]`; both in milliseconds. */
export interface Transitions {
  readonly starts: Float64Array
  readonly offsets: Float64Array
  /** For each stretch of twelve days from the first start on, the period in which it begins. */
  readonly hints: Int32Array
}

const STRETCH = 2 ** 30

const HOUR = 3_600_000

/** The table of a zone from one year up to another. */
export const make = (zone: string, from: number, to: number): Transitions => {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" })
  const offsetAt = (instant: number): number => {
    const [, sign, hours = 0, minutes = 0] = /GMT(?:([+-])(\d\d):(\d\d))?/u.exec(format.format(instant)) ?? []
    return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
  }
  const found: Array<readonly [number, number]> = []
  for (let instant = Date.UTC(from, 0, 1); instant < Date.UTC(to, 0, 1); instant += HOUR) {
    const offset = offsetAt(instant)
    if (found.at(-1)?.[1] !== offset) found.push([instant, offset])
  }
  const starts = Float64Array.from(found, ([start]) => start)
  const stretches = Math.ceil((Date.UTC(to, 0, 1) - (starts[0] as number)) / STRETCH)
  return {
    starts,
    offsets: Float64Array.from(found, ([, offset]) => offset),
    hints: Int32Array.from({ length: stretches }, (_, n) =>
      found.findLastIndex(([start]) => start <= (starts[0] as number) + n * STRETCH)
    )
  }
}

const indexAt = ({ starts, hints }: Transitions, instant: number): number => {
  const hint = hints[Math.floor((instant - (starts[0] as number)) / STRETCH)] as number
  return (starts[hint + 1] as number) <= instant ? hint + 1 : hint
}

export const offsetAt = (table: Transitions, instant: number): number =>
  table.offsets[indexAt(table, instant)] as number

/** The first instant at which the clocks show a local time; NaN in a gap. */
export const toInstant = (table: Transitions, local: number): number => {
  const { starts, offsets } = table
  const middle = indexAt(table, local)
  for (let n = Math.max(0, middle - 1); n < Math.min(middle + 2, starts.length); n++) {
    const instant = local - (offsets[n] as number)
    const end = n + 1 < starts.length ? (starts[n + 1] as number) : Infinity
    if (instant >= (starts[n] as number) && instant < end) return instant
  }
  return Number.NaN
}
