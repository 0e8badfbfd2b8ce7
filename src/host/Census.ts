/**
 * What all live Sessions hold at a moment, counted from what each of them keeps in memory anyway.
 */
import { HashMap } from "effect"
import type { ScheduleLog } from "../domain/ScheduleLog.ts"
import type { Message } from "./HostEvent.ts"

/** What one Session holds, without a look at its log. */
export interface Glimpse {
  /** Undefined before its reminders were looked at for the first time. */
  readonly reminders: ScheduleLog | undefined
  /** The messages that wait for a turn. */
  readonly queued: ReadonlyArray<Message>
  readonly isFaulted: boolean
}

export interface Census {
  readonly live: number
  readonly faulted: number
  readonly active: number
  readonly overdue: number
  /** How long the oldest overdue reminder has been so, in milliseconds; 0 without any. */
  readonly overdueMillis: number
  readonly prompts: number
  readonly followUps: number
}

/** Counts them at `now`, in milliseconds since 1970. */
export const take = (glimpses: Iterable<Glimpse>, now: number): Census => {
  const census = { live: 0, faulted: 0, active: 0, overdue: 0, overdueMillis: 0, prompts: 0, followUps: 0 }
  for (const { reminders, queued, isFaulted } of glimpses) {
    census.live++
    if (isFaulted) census.faulted++
    for (const { kind } of queued) census[kind === "prompt" ? "prompts" : "followUps"]++
    if (reminders === undefined) continue
    for (const { record } of HashMap.values(reminders.active)) {
      census.active++
      if (record.scheduledAt > now) continue
      census.overdue++
      census.overdueMillis = Math.max(census.overdueMillis, now - record.scheduledAt)
    }
  }
  return census
}
