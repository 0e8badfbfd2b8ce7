/**
 * A long life of one Session's reminders, as the log stores it: the same one every time.
 */
import * as Instant from "../../src/domain/Instant.ts"
import * as ScheduleChange from "../../src/domain/ScheduleChange.ts"
import type { Row } from "../ours/Raw.ts"

/** As the log writes an instant. */
export const at = (millis: number): string => Instant.format(Instant.clamp(millis))

/** A generator of numbers from 0 to below 1, always the same ones. */
const dice = (seed: number) => {
  let state = seed
  return (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const DAY = 86_400_000
const MINUTE = 60_000

interface Reminder {
  readonly id: string
  readonly kind: string
  target: number
}

const prompts = [
  "Stretch your legs",
  "Write the weekly report and send it to Ann",
  "Look whether the deployment went well; if not, tell the team",
  "喝水",
  "Call mother"
]

const rules: ReadonlyArray<readonly [string, object]> = [
  ["after", { afterSeconds: 3_600 }],
  ["at", {}],
  ["every", { everySeconds: 900 }],
  ["daily", { time: "09:00:00.000", timeZone: "Europe/Berlin" }],
  ["weekly", { time: "18:30:00.000", weekdays: [1, 3, 5], timeZone: "America/New_York" }],
  ["cron", { expression: "0,30 9-17 * * 1-5", timeZone: "Asia/Tokyo" }]
]

/** How many are active at most: then one ends before the next begins. */
const ACTIVE = 200

export interface Life {
  readonly rows: ReadonlyArray<Row>
  /** How many reminders are active in the end. */
  readonly active: number
}

/** So many changes: about a quarter are creates, most are dispatches. */
export const make = (count: number): Life => {
  const random = dice(7)
  const pick = <A>(all: ReadonlyArray<A>): A => all[Math.floor(random() * all.length)] as A
  const active: Array<Reminder> = []
  let now = Date.UTC(2026, 0, 1)
  let created = 0

  const create = (): object => {
    const [kind, rule] = pick(rules)
    const reminder = { id: `schedule-${++created}`, kind, target: now + MINUTE + Math.floor(random() * DAY) }
    active.push(reminder)
    const schedule = { id: reminder.id, kind, prompt: pick(prompts), scheduledAt: at(reminder.target), ...rule }
    return { version: 1, operation: "create", schedule }
  }
  const end = (reminder: Reminder): void => void active.splice(active.indexOf(reminder), 1)
  const dispatch = (reminder: Reminder): object => {
    const { id, kind } = reminder
    const change = { version: 1, operation: "dispatch", id }
    if (kind === "after" || kind === "at") {
      end(reminder)
      return change
    }
    const acceptedAt = Math.max(now, reminder.target)
    const next = acceptedAt + MINUTE + Math.floor(random() * DAY)
    const interval = 900_000
    reminder.target = kind === "every" ? acceptedAt - ((acceptedAt - reminder.target) % interval) + interval : next
    return { ...change, acceptedAt: at(acceptedAt), ...(kind === "every" ? {} : { nextScheduledAt: at(next) }) }
  }
  const change = (): object => {
    now += 1_000
    if (active.length < 5 || (active.length < ACTIVE && random() < 0.25)) return create()
    const reminder = pick(active)
    if (random() >= 0.05) return dispatch(reminder)
    end(reminder)
    return { version: 1, operation: "delete", id: reminder.id }
  }

  const rows = Array.from({ length: count }, (_, seq) => {
    const data = JSON.stringify(change())
    return { session: 1, seq, at: now, type: ScheduleChange.EVENT_TYPE, data }
  })
  return { rows, active: active.length }
}
