/**
 * What callers can know of one reminder: from what they asked for, from what they were answered, and from what the Agent
 * was offered. Nothing here has seen a log.
 */
import * as Rule from "./Rule.ts"

/** What a call was answered; `unknown` if it was cancelled, or its process was killed. */
export type Answer = "open" | "done" | "uncertain" | "refused" | "unknown"

/** One call, from its beginning to its answer, in ticks of the oracle and on the wall clock. */
export interface Call {
  readonly from: number
  to: number
  /** What the wall clock showed meanwhile, at the least and at the most. */
  least: number
  most: number
  answer: Answer
}

/** One offer of a reminder to the Agent. */
interface Offer {
  readonly tick: number
  /** The wall clock at the decision. */
  readonly at: number
  readonly occurrence: number
  /** Whether who made it was the Session's owner: else it may come to nothing. */
  readonly byOwner: boolean
  /** How often the Session had been disturbed. */
  readonly disturbances: number
}

/** One turn that was given the reminder. `attempt` counts the turns for the same message. */
export interface Hearing {
  readonly tick: number
  readonly occurrence: number
  readonly attempt: number
  /** Whether the turn said anything, or ended. */
  isOver: boolean
}

export interface Reminder {
  readonly prompt: string
  readonly rule: Rule.Rule
  readonly create: Call
  readonly offers: Array<Offer>
  readonly hearings: Array<Hearing>
  id: string | undefined
  /** The tick from which on it surely exists, and the one from which on it surely does not. */
  known: number
  gone: number
  /** Its earliest next occurrence, and the ticks between which that was the next one for sure. */
  target: number | undefined
  seen: number
  shown: number
  /** Deletes of its id that may have taken place. */
  readonly deletes: Array<Call>
}

export const make = (prompt: string, rule: Rule.Rule, create: Call): Reminder => ({
  prompt,
  rule,
  create,
  offers: [],
  hearings: [],
  id: undefined,
  known: Number.POSITIVE_INFINITY,
  gone: Number.POSITIVE_INFINITY,
  target: undefined,
  seen: 0,
  shown: 0,
  deletes: []
})

const mayBeDeleted = ({ deletes }: Reminder, by: number): boolean =>
  deletes.some(({ from, answer }) => from < by && answer !== "refused")

/** Whether it was active all the time between two ticks, whatever went wrong. */
export const isActive = (reminder: Reminder, from: number, to: number): boolean =>
  reminder.known < from &&
  reminder.gone > to &&
  !mayBeDeleted(reminder, to) &&
  !(Rule.isOnce(reminder.rule) && reminder.offers.some(({ tick }) => tick > reminder.seen && tick < to))

/** Whether it came to be, and nobody may have deleted it. */
export const isSure = ({ known, deletes }: Reminder): boolean =>
  known < Number.POSITIVE_INFINITY && deletes.every(({ answer }) => answer === "refused")

const anchor = ({ target, offers }: Reminder): number => target ?? offers[0]?.occurrence ?? 0

/** The occurrence after an offer. */
const after = (reminder: Reminder, offer: Offer): number => Rule.next(reminder.rule, anchor(reminder), offer.at)

/** Its next target at the latest: each offer may have been taken back by a fault. */
export const lastTarget = (reminder: Reminder): number =>
  reminder.offers
    .filter(({ tick }) => tick > reminder.seen)
    .reduce((target, offer) => Math.max(target, after(reminder, offer)), reminder.target ?? Number.POSITIVE_INFINITY)

/** Whether its next occurrence can be this one, as a caller sees it. */
export const canBeTarget = (reminder: Reminder, target: number): boolean => {
  const { rule, create, offers } = reminder
  const first = reminder.target
  if (first === undefined ? Rule.isTarget(rule, target, create.least, create.most) : target === first) return true
  return (
    !Rule.isOnce(rule) && offers.some((offer) => (first ?? 0) <= offer.occurrence && after(reminder, offer) === target)
  )
}

/** Whether an occurrence can be offered at all. */
export const canOccur = ({ rule, create, target }: Reminder, occurrence: number): boolean => {
  if (target === undefined) return Rule.canBe(rule, occurrence, create.least, create.most)
  return Rule.latest(rule, target, occurrence) === occurrence && occurrence >= target
}
