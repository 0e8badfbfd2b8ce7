/**
 * The arithmetic of local time: occurrences of rules, and instants of local times.
 */
import { CronExpressionParser } from "cron-parser"
import { Cron as Croner } from "croner"
import { Cron as EffectCron, DateTime, Option, Result } from "effect"
import { DateTime as Luxon } from "luxon"
import { Temporal } from "temporal-polyfill"
import * as CronExpression from "../../src/domain/CronExpression.ts"
import * as Instant from "../../src/domain/Instant.ts"
import * as Recurrence from "../../src/domain/Recurrence.ts"
import type { ScheduleId, ScheduleRecord } from "../../src/domain/ScheduleRecord.ts"
import { TimeZone } from "../../src/domain/TimeZone.ts"
import * as WallTime from "../../src/domain/WallTime.ts"
import * as ZoneRules from "../../src/domain/ZoneRules.ts"
import * as Occurrences from "../floors/Occurrences.ts"
import * as Transitions from "../floors/Transitions.ts"
import * as Calls from "../measure/Calls.ts"
import * as Row from "../measure/Row.ts"
import { median } from "../measure/Statistics.ts"
import * as IntlTime from "../peers/IntlTime.ts"
import * as Version from "../peers/Version.ts"

const sizes = { full: { rounds: 7, millis: 60 }, quick: { rounds: 1, millis: 4 } }

const [FROM, TO] = [2025, 2029]
const QUESTIONS = 4_096
const DAY = 86_400_000

/** The same questions every time, spread over two years to the millisecond. */
const instants = Array.from(
  { length: QUESTIONS },
  (_, n) => Date.UTC(2026, 0, 5) + Math.floor(((n * 0.618_033_988_75) % 1) * 700 * DAY)
)
const question = (n: number): number => instants[n % QUESTIONS] as number

interface Case {
  readonly name: string
  readonly record: object
  /** The same rule for libraries that know cron alone. */
  readonly expression: string
  readonly floor: Occurrences.Rule
}

const everyDay = () => true
const onWeekdays = (days: ReadonlyArray<number>) => (date: Date) => days.includes(date.getUTCDay())
const at = (hour: number, minute: number) => (n: number) => n === hour * 60 + minute
const cron = (expression: string): object => ({
  kind: "cron",
  expression: Result.getOrThrow(Result.flatMap(CronExpression.parse(expression), CronExpression.validate))
})

const cases: ReadonlyArray<Case> = [
  {
    name: "daily at 09:00",
    record: { kind: "daily", time: 9 * 3_600_000 },
    expression: "0 9 * * *",
    floor: { zone: "America/New_York", matchesDay: everyDay, matchesMinute: at(9, 0) }
  },
  {
    name: "Mon, Wed, Fri at 18:30",
    record: { kind: "weekly", time: 18.5 * 3_600_000, weekdays: [1, 3, 5] },
    expression: "30 18 * * 1,3,5",
    floor: { zone: "Europe/Berlin", matchesDay: onWeekdays([1, 3, 5]), matchesMinute: at(18, 30) }
  },
  {
    name: "cron */15 9-17 * * 1-5",
    record: cron("*/15 9-17 * * 1-5"),
    expression: "*/15 9-17 * * 1-5",
    floor: {
      zone: "America/New_York",
      matchesDay: onWeekdays([1, 2, 3, 4, 5]),
      matchesMinute: (n) => n % 15 === 0 && n >= 9 * 60 && n < 18 * 60
    }
  },
  {
    name: "cron 0 9 1 * *",
    record: cron("0 9 1 * *"),
    expression: "0 9 1 * *",
    floor: { zone: "Asia/Tokyo", matchesDay: (date) => date.getUTCDate() === 1, matchesMinute: at(9, 0) }
  }
]

const OURS = "ours"
const FLOOR = "tables of integers, made beforehand"
const CRONER = `croner ${Version.of("croner")}`
const PARSER = `cron-parser ${Version.of("cron-parser")}`
const EFFECT = `Effect ${Version.of("effect")} Cron`

/** Answers in epoch milliseconds. */
type Answer = (now: number) => number

interface Answers {
  readonly next: Readonly<Record<string, Answer>>
  /** The latest up to now, and the next: what a reminder that is due needs; their sum stands for both. */
  readonly both: Readonly<Record<string, Answer>>
}

const ours = ({ record, floor: { zone } }: Case): { readonly next: Answer; readonly both: Answer } => {
  const rule = { ...record, timeZone: TimeZone.make(zone) } as Exclude<Recurrence.Rule, { kind: "every" }>
  const target = Instant.clamp(0)
  const due = { ...rule, id: "schedule-1" as ScheduleId, prompt: "p", scheduledAt: target } as Extract<
    ScheduleRecord,
    { kind: "daily" | "weekly" | "cron" }
  >
  return {
    next: (now) => Option.getOrThrow(Recurrence.first(rule, now as Instant.Instant)),
    both: (now) => {
      const { occurrenceAt, next } = Option.getOrThrow(Recurrence.turn(due, now as Instant.Instant))
      return occurrenceAt + Option.getOrThrow(next)
    }
  }
}

const answersOf = (rule: Case): Answers => {
  const { expression, floor } = rule
  const { zone } = floor
  const tables = Occurrences.make(floor, FROM, TO)
  const croner = new Croner(expression, { timezone: zone, paused: true })
  const parser = CronExpressionParser.parse(expression, { tz: zone })
  const effect = EffectCron.parseUnsafe(expression, zone)
  const cronerNext: Answer = (now) => croner.nextRun(new Date(now))?.getTime() ?? 0
  const parserNext: Answer = (now) => {
    parser.reset(new Date(now))
    return parser.next().getTime()
  }
  const effectNext: Answer = (now) => EffectCron.next(effect, new Date(now)).getTime()
  const own = ours(rule)
  return {
    next: {
      [OURS]: own.next,
      [FLOOR]: (now) => Occurrences.next(tables, now),
      [CRONER]: cronerNext,
      [PARSER]: parserNext,
      [EFFECT]: effectNext
    },
    both: {
      [OURS]: own.both,
      [FLOOR]: (now) => Occurrences.latest(tables, now) + Occurrences.next(tables, now),
      [CRONER]: (now) => (croner.previousRuns(1, new Date(now))[0]?.getTime() ?? 0) + cronerNext(now),
      [PARSER]: (now) => {
        parser.reset(new Date(now))
        const previous = parser.prev().getTime()
        return previous + parserNext(now)
      },
      [EFFECT]: (now) => EffectCron.prev(effect, new Date(now)).getTime() + effectNext(now)
    }
  }
}

/** How many of the questions each answers as ours does; the floor must answer all of them so. */
const compare = (what: string, answers: Readonly<Record<string, Answer>>): ReadonlyArray<string> => {
  const expected = instants.map(answers[OURS] as Answer)
  return Object.entries(answers).flatMap(([who, answer]) => {
    const others = instants.filter((now, n) => answer(now) !== expected[n]).length
    if (others === 0) return []
    if (who === FLOOR) throw new Error(`${what}: the floor differs from ours ${others} times`)
    return [`${what}: ${who} answers ${others} of ${QUESTIONS} questions otherwise.`]
  })
}

type Pace = (typeof sizes)[Row.Size]

const roleOf = (who: string): Row.Role => {
  if (who.startsWith(OURS)) return "ours"
  return who === FLOOR ? "floor" : "peer"
}

const measured = async (answers: Readonly<Record<string, Answer>>, pace: Pace) => {
  const calls = Object.entries(answers).map(([who, answer]) => [who, (n: number) => answer(question(n))] as const)
  const samples = await Calls.microseconds(Object.fromEntries(calls), pace)
  const entries = Object.entries(samples).map(([who, samples]) => ({ who, role: roleOf(who), samples }))
  return { entries, of: (who: string) => median(samples[who] ?? []) }
}

const occurrences = async (pace: Pace): Promise<Row.Section> => {
  const rows: Array<Row.Row> = []
  const notes: Array<string> = []
  for (const rule of cases) {
    const { next, both } = answersOf(rule)
    const [first, due] = [`${rule.name}: first after an instant`, `${rule.name}: latest up to it, and first after it`]
    notes.push(...compare(first, next), ...compare(due, both))
    const nexts = await measured(next, pace)
    rows.push({
      what: first,
      unit: "µs",
      entries: nexts.entries,
      goals: [
        Row.atMost(`${first}: to the floor`, nexts.of(OURS) / nexts.of(FLOOR), 4),
        Row.atLeast(`${first}: times quicker than croner`, nexts.of(CRONER) / nexts.of(OURS), 50)
      ]
    })
    rows.push({ what: due, unit: "µs", entries: (await measured(both, pace)).entries, goals: [] })
  }
  return { rows, notes }
}

const ZONE = "America/New_York"
const EARLIEST = "ours: WallTime.earliest, as occurrences are found"
const RESOLVE = "ours: WallTime.resolve, with the reason where there is none"

/** Local times that exist, some of them near transitions and in overlaps. */
const locals = (table: Transitions.Transitions): ReadonlyArray<number> => {
  const [from, to] = [Date.UTC(FROM + 1, 0, 1), Date.UTC(TO - 1, 0, 1)]
  const near = [...table.starts].filter((start) => start >= from && start < to)
  return instants.map((instant, n) => {
    const moment = n % 16 === 0 ? (near[n % near.length] ?? instant) + ((instant % 7_200_000) - 3_600_000) : instant
    return moment + Transitions.offsetAt(table, moment)
  })
}

const localTimes = async (pace: Pace): Promise<Row.Section> => {
  const table = Transitions.make(ZONE, FROM, TO)
  const asked = locals(table)
  const fields = asked.map((local) => {
    const date = new Date(local)
    const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
    const [hour, minute, second] = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()]
    return { year, month, day, hour, minute, second, millisecond: date.getUTCMilliseconds() }
  })
  type Fields = (typeof fields)[number]
  const rules = Option.getOrThrow(ZoneRules.load(ZONE))
  const named = DateTime.zoneMakeNamedUnsafe(ZONE)
  const intl = IntlTime.make(ZONE)
  const byFields = (answer: (fields: Fields) => number) => (n: number) => answer(fields[n % QUESTIONS] as Fields)
  const byLocal = (answer: (local: number) => number) => (n: number) => answer(asked[n % QUESTIONS] as number)
  const calls: Readonly<Record<string, (n: number) => number>> = {
    [EARLIEST]: byLocal((local) => WallTime.earliest(rules, local)),
    [RESOLVE]: byLocal((local) => {
      const days = Math.floor(local / DAY)
      return Result.getOrThrow(WallTime.resolve(rules, days, local - days * DAY)).millis
    }),
    [FLOOR]: byLocal((local) => Transitions.toInstant(table, local)),
    [`temporal-polyfill ${Version.of("temporal-polyfill")}`]: byFields(
      (fields) =>
        Temporal.PlainDateTime.from(fields).toZonedDateTime(ZONE, { disambiguation: "earlier" }).epochMilliseconds
    ),
    "Intl.DateTimeFormat, asked until it agrees": byLocal((local) => IntlTime.toInstant(intl, local)),
    [`Effect ${Version.of("effect")} DateTime.makeZoned`]: byFields(({ millisecond, ...fields }) => {
      const options = { timeZone: named, adjustForTimeZone: true, disambiguation: "earlier" } as const
      return DateTime.makeZonedUnsafe({ ...fields, millisecond }, options).epochMilliseconds
    }),
    [`luxon ${Version.of("luxon")}`]: byFields((fields) => Luxon.fromObject(fields, { zone: ZONE }).toMillis())
  }
  const what = "local time to instant, gaps and overlaps right"
  const notes = Object.entries(calls).flatMap(([who, call]) => {
    const others = asked.filter((local, n) => call(n) !== Transitions.toInstant(table, local)).length
    if (others > 0 && who.startsWith(OURS)) throw new Error(`${who} differs from the floor ${others} times`)
    return others === 0 ? [] : [`${what}: ${who} answers ${others} of ${QUESTIONS} questions otherwise.`]
  })
  const samples = await Calls.microseconds(calls, pace)
  const goal = (who: string) => Row.atMost(`${what}: ${who}`, median(samples[who] ?? []), 0.25, "µs")
  const entries = Object.entries(samples).map(([who, samples]) => ({
    who,
    role: who === RESOLVE ? ("peer" as const) : roleOf(who),
    samples
  }))
  return { rows: [{ what, unit: "µs", entries, goals: [goal(EARLIEST), goal(RESOLVE)] }], notes }
}

/** What the first question about a zone costs, once for each zone of some. */
const firstQuestions = (): Row.Row => {
  const zones = Intl.supportedValuesOf("timeZone").filter((_, n) => n % 20 === 0)
  const samples = zones.map((zone) => {
    const begun = performance.now()
    const rules = Option.getOrThrow(ZoneRules.load(zone))
    ZoneRules.periodsAround(rules, question(0))
    return performance.now() - begun
  })
  const who = `ours, over ${zones.length} zones`
  return {
    what: "the first question about a year of a zone",
    unit: "ms",
    entries: [{ who, role: "fact", samples }],
    goals: []
  }
}

export const run = async (size: Row.Size): Promise<Row.Section> => {
  const found = [await occurrences(sizes[size]), await localTimes(sizes[size])]
  return {
    rows: [...found.flatMap(({ rows }) => rows), firstQuestions()],
    notes: found.flatMap(({ notes }) => notes)
  }
}
