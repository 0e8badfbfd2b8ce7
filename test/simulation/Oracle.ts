/**
 * What must be true, by what callers were told and what the Agent heard, never by the log. It complains of the first
 * thing that is not.
 */
import * as Answers from "./Answers.ts"
import * as Known from "./Known.ts"
import * as Knowledge from "./Knowledge.ts"
import * as Messages from "./Messages.ts"
import type { AgentKind } from "./Step.ts"

export interface Oracle {
  readonly known: Knowledge.Knowledge
  readonly answers: Answers.Answers
  readonly messages: Messages.Messages
  /** Something is wrong with the Session's log, at this moment. */
  fault(session: string): void
  /** A message of the Session may be repeated once. */
  disturb(session: string): void
  /** The earliest target ahead that is known of, for ever without one. */
  nextTarget(): number
  /** Nothing may be overdue: the Session has been well for longer than any delay. */
  nothingIsOverdue(session: string): void
  /** Everything was heard that had to be: the Session has been well for long, and all one-shots are past. */
  allIsHeard(session: string): void
}

/** How often a message is given to a turn before it is given up. */
const ATTEMPTS = 3

export const make = (agent: AgentKind, now: () => number): Oracle => {
  const known = Knowledge.make(agent, now)
  const { complain, the } = known

  const isHeard = (session: Knowledge.Session, reminder: Known.Reminder): void => {
    const name = Knowledge.nameOf(session, reminder)
    const sent = reminder.offers.findLast(({ byOwner }) => byOwner) ?? reminder.offers.at(-1)
    const heard = reminder.hearings.at(-1)
    if (sent === undefined) return complain(`${name} was acknowledged, and never sent`)
    if (agent === "own" && session.disturbances - sent.disturbances >= ATTEMPTS) return
    const isMissed = sent.byOwner && (heard?.tick ?? 0) < sent.tick && heard?.occurrence !== sent.occurrence
    if (heard === undefined || isMissed) return complain(`${name} was sent, and never heard`)
    if (!heard.isOver && heard.attempt < ATTEMPTS) complain(`${name} was cut off, and not heard again`)
  }

  return {
    known,
    answers: Answers.make(known),
    messages: Messages.make(known),
    fault: (session) => void (the(session).faulty = known.next()),
    disturb: (name) => {
      const session = the(name)
      session.disturbed = known.next()
      session.disturbances++
    },
    nextTarget: () =>
      known.reminders
        .filter((reminder) => Known.isActive(reminder, known.tick + 1, known.tick + 1))
        .map(Known.lastTarget)
        .filter((target) => target > known.now)
        .reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
    nothingIsOverdue: (name) => {
      const session = the(name)
      for (const reminder of session.reminders.values()) {
        const target = Known.lastTarget(reminder)
        if (target <= known.now - 1_000 && Known.isActive(reminder, known.tick, known.tick)) {
          complain(
            `${Knowledge.nameOf(session, reminder)} is overdue since ${Knowledge.show(target)}, though all is well`
          )
        }
      }
    },
    allIsHeard: (name) => {
      const session = the(name)
      for (const [text, { call, heard }] of session.said) {
        if (call.answer === "done" && call.to > session.disturbed && heard === 0) {
          complain(`${name} never heard ${JSON.stringify(text)}`)
        }
      }
      for (const reminder of session.reminders.values()) if (Known.isSure(reminder)) isHeard(session, reminder)
    }
  }
}
