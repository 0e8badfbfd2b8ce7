/**
 * Random cron expressions together with what they mean by the plainest definition: sets, and a look at each date.
 */
import { Arbitrary, Schema } from "effect"
import * as Calendar from "../../src/domain/Calendar.ts"

/** A field's text, the values it chooses, and whether it is a star. */
export interface Field {
  readonly text: string
  readonly values: ReadonlySet<number>
  readonly isStar: boolean
}

export interface Cron {
  readonly minute: Field
  readonly hour: Field
  readonly day: Field
  readonly month: Field
  readonly weekday: Field
}

const whole = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const Part = Schema.Struct({
  form: Schema.Literals(["*", "*/n", "a", "a-b", "a-b/n"]),
  a: whole(0, 59),
  b: whole(0, 59),
  step: whole(1, 70)
})

const up = (from: number, to: number, step: number) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step)

const part = (min: number, max: number, { form, a, b, step }: typeof Part.Type) => {
  const size = max - min + 1
  const from = min + (Math.min(a, b) % size)
  const to = Math.max(from, min + (Math.max(a, b) % size))
  const starStep = 1 + ((step - 1) % size)
  const parts = {
    "*": { text: "*", values: up(min, max, 1) },
    "*/n": { text: `*/${starStep}`, values: up(min, max, starStep) },
    a: { text: `${from}`, values: [from] },
    "a-b": { text: `${from}-${to}`, values: up(from, to, 1) },
    "a-b/n": { text: `${from}-${to}/${step}`, values: up(from, to, step) }
  }
  return parts[form]
}

const field = (min: number, max: number): Arbitrary.Arbitrary<Field> =>
  Arbitrary.map(Arbitrary.array(Arbitrary.schema(Part), { minLength: 1, maxLength: 3 }), (drawn) => {
    const parts = drawn.map((it) => part(min, max, it))
    const text = parts.map((it) => it.text).join(",")
    return { text, values: new Set(parts.flatMap((it) => it.values)), isStar: text.startsWith("*") }
  })

const values = (...chosen: ReadonlyArray<number>): Field => ({
  text: chosen.join(","),
  values: new Set(chosen),
  isStar: false
})

const dates = { day: field(1, 31), month: field(1, 12), weekday: field(0, 6) }

/** Any expression. */
export const cron: Arbitrary.Arbitrary<Cron> = Arbitrary.all({ minute: field(0, 59), hour: field(0, 23), ...dates })

const every = (min: number, max: number): Field => ({ text: "*", values: new Set(up(min, max, 1)), isStar: true })

/** Expressions of which most fire every few days, or more often. */
export const frequent: Arbitrary.Arbitrary<Cron> = Arbitrary.all({
  minute: field(0, 59),
  hour: field(0, 23),
  day: Arbitrary.Constant(every(1, 31)),
  month: Arbitrary.Constant(every(1, 12)),
  weekday: field(0, 6)
})

/** Expressions whose occurrences come close to each other across midnight only, if at all. */
export const aroundMidnight: Arbitrary.Arbitrary<Cron> = Arbitrary.all({
  minute: Arbitrary.map(Arbitrary.schema(whole(50, 59)), (minute) => values(0, minute)),
  hour: Arbitrary.Constant(values(0, 23)),
  ...dates
})

/** Expressions for one day at the end of one month, of which some never come. */
export const endOfMonth: Arbitrary.Arbitrary<Cron> = Arbitrary.all({
  minute: Arbitrary.Constant(values(0)),
  hour: Arbitrary.Constant(values(9)),
  day: Arbitrary.map(Arbitrary.schema(whole(29, 31)), (day) => values(day)),
  month: Arbitrary.map(Arbitrary.schema(whole(1, 12)), (month) => values(month)),
  weekday: field(0, 6)
})

/** A day number from nearly the whole calendar: what is looked at from there on is in it too. */
export const anyDay = whole(-719_000, 2_929_000)

export const text = ({ minute, hour, day, month, weekday }: Cron): string =>
  [minute, hour, day, month, weekday].map((it) => it.text).join(" ")

export const times = ({ minute, hour }: Cron): ReadonlyArray<number> =>
  up(0, 1_439, 1).filter((time) => hour.values.has(Math.floor(time / 60)) && minute.values.has(time % 60))

/** What a rule sees of a date. */
export interface Seen {
  readonly month: number
  readonly day: number
  readonly weekday: number
}

export const see = (days: number): Seen => ({ ...Calendar.fromDays(days), weekday: Calendar.weekdayOf(days) % 7 })

export const matches = (cron: Cron, { month, day, weekday }: Seen): boolean => {
  const byDay = cron.day.values.has(day)
  const byWeekday = cron.weekday.values.has(weekday)
  const isDay = cron.day.isStar || cron.weekday.isStar ? byDay && byWeekday : byDay || byWeekday
  return cron.month.values.has(month) && isDay
}

const cycle = up(Calendar.toDays({ year: 2000, month: 1, day: 1 }), 146_097 + 10_957, 1)

/** Every pair of dates that follow each other, as a rule sees them, in the 400 years after which the calendar repeats. */
export const consecutive: ReadonlyArray<readonly [Seen, Seen]> = [
  ...new Map(
    cycle.map((days) => {
      const pair = [see(days), see(days + 1)] as const
      return [pair.map(({ month, day, weekday }) => `${month}-${day}-${weekday}`).join(), pair]
    })
  ).values()
]
