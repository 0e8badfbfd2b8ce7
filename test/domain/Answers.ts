/**
 * What the domain answers to the cases of the test vectors. Run as a program, it prints all of these answers as JSON,
 * with the zone of its process: they must be the same in each.
 */
import { Option, Result } from "effect"
import * as Due from "../../src/domain/Due.ts"
import * as Instant from "../../src/domain/Instant.ts"
import * as Recurrence from "../../src/domain/Recurrence.ts"
import * as ScheduleChange from "../../src/domain/ScheduleChange.ts"
import * as ScheduleLog from "../../src/domain/ScheduleLog.ts"
import { ScheduleId } from "../../src/domain/ScheduleRecord.ts"
import * as ScheduleRequest from "../../src/domain/ScheduleRequest.ts"
import { vectors } from "../vectors.ts"

/** A case about arguments. */
export interface RequestCase {
  readonly name: string
  readonly file?: string
  readonly rule?: Record<string, unknown>
  readonly time_zone?: string
  readonly expression?: string
  readonly now: string
  readonly count?: number
  readonly expect: { readonly error?: string; readonly target?: string; readonly occurrences?: ReadonlyArray<string> }
}

/** A case about a stored record that is due. */
export interface DecisionCase {
  readonly name: string
  readonly file?: string
  readonly rule: Record<string, Record<string, unknown>>
  readonly scheduledAt: string
  readonly now: string
  readonly expect: { readonly occurrenceAt: string; readonly next: string | null }
}

const id = ScheduleId.make("schedule-1")
export const at = (text: string): Instant.Instant => Option.getOrThrow(Instant.parse(text))

const casesOf = <Case extends { readonly file?: string }>(file: string): ReadonlyArray<Case> => [
  ...vectors<Case>(file),
  ...vectors<Case>("decided").filter((decided) => decided.file === file)
]

export const requestFiles = ["after", "at-string", "at-local", "every", "daily", "weekly", "cron"]
export const requestCases = (file: string): ReadonlyArray<RequestCase> => casesOf(file)
export const decisionCases = (): ReadonlyArray<DecisionCase> => casesOf("decision")

const selectors: Record<string, string> = { after: "after_seconds", every: "every_seconds" }

/** A vector's `rule` in the words of the tool's arguments; further keys that it wraps are further arguments. */
export const argumentsOf = (rule: Record<string, unknown>): object => {
  const [[kind, value] = ["", undefined]] = Object.entries(rule)
  const selector = selectors[kind]
  return selector === undefined ? { prompt: "p", [kind]: value } : { prompt: "p", [selector]: value, ...Object(value) }
}

const occurrences = (when: ScheduleRequest.When, now: Instant.Instant, count: number): ReadonlyArray<string> => {
  if (when.kind === "after" || when.kind === "at") return []
  const found: Array<string> = []
  let next = Recurrence.first(when, now)
  while (Option.isSome(next) && found.length < count) {
    found.push(Instant.format(next.value))
    next = Recurrence.first(when, next.value)
  }
  return found
}

/** The record that arguments make. */
export const plan = (input: unknown, now: string) =>
  Result.flatMap(ScheduleRequest.decode(input), (request) => ScheduleRequest.plan(request, id, at(now)))

/** What becomes of arguments, in the form of a vector's `expect`. */
export const answer = (input: unknown, now: string, count = 1): RequestCase["expect"] =>
  Result.gen(function* () {
    const { when } = yield* ScheduleRequest.decode(input)
    const { scheduledAt } = yield* plan(input, now)
    return { target: Instant.format(scheduledAt), occurrences: occurrences(when, at(now), count) }
  }).pipe(Result.match({ onFailure: ({ code }) => ({ error: code }), onSuccess: (value) => value }))

const event = (seq: number, data: unknown) => ({ seq, at: Instant.clamp(0), type: ScheduleChange.EVENT_TYPE, data })

/** A log that holds these records, in the form in which it stores them. */
export const created = (...schedules: ReadonlyArray<object>): ScheduleLog.ScheduleLog =>
  Result.getOrThrow(
    ScheduleLog.fold(
      schedules.map((schedule, seq) =>
        event(seq, { version: 1, operation: "create", schedule: { prompt: "p", ...schedule } })
      )
    )
  )

/** The log after the dispatches of a decision, read back from JSON. */
export const replayed = (log: ScheduleLog.ScheduleLog, send: Due.Send): ScheduleLog.ScheduleLog =>
  Result.getOrThrow(
    ScheduleLog.evolveAll(
      log,
      Due.dispatches(send).map((change) => event(100, JSON.parse(JSON.stringify(ScheduleChange.encode(change)))))
    )
  )

/** A vector's rule, as the log keeps it. */
const stored = (rule: DecisionCase["rule"]): object => {
  const [[kind, value] = ["", {}]] = Object.entries(rule)
  if (kind === "every") return { kind, everySeconds: value["every_seconds"] }
  if (kind === "cron") return { kind, expression: value["expression"], timeZone: value["time_zone"] }
  const [time = "", fraction = ""] = String(value["time"]).split(".")
  const weekdays = kind === "weekly" ? { weekdays: (value["weekdays"] as Array<number>).toSorted() } : {}
  return { kind, time: `${time}.${fraction.padEnd(3, "0")}`, timeZone: value["time_zone"], ...weekdays }
}

export const logOf = ({ rule, scheduledAt }: DecisionCase): ScheduleLog.ScheduleLog =>
  created({ id, ...stored(rule), scheduledAt })

/** What is presented of each due recurring record of a log, in the form of a vector's `expect`. */
export const presented = (due: Due.Due): ReadonlyArray<DecisionCase["expect"]> =>
  due.kind !== "batch"
    ? []
    : due.reminders.map(({ occurrenceAt, nextScheduledAt }) => ({
        occurrenceAt: Instant.format(occurrenceAt),
        next: nextScheduledAt === null ? null : Instant.format(nextScheduledAt)
      }))

/** The answers to all cases, by name. */
const all = () => ({
  requests: requestFiles.flatMap((file) =>
    requestCases(file).map(({ name, rule, now, count }) => [name, answer(argumentsOf(rule ?? {}), now, count)])
  ),
  decisions: decisionCases().map((one) => [one.name, presented(Due.decide(logOf(one), at(one.now)))])
})

if (import.meta.main) {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  process.stdout.write(JSON.stringify({ timeZone, answers: all() }))
}
