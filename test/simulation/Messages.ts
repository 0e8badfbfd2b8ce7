/**
 * What is sent to an Agent, and what its turns hear: nothing early, nothing twice, of a rule only the latest.
 */
import type { DueReminder } from "../../src/host/localModel/ReminderFrame.ts"
import * as Known from "./Known.ts"
import { identify, type Knowledge, nameOf, type Session, show } from "./Knowledge.ts"
import * as Rule from "./Rule.ts"

type Message = ReadonlyArray<DueReminder>

export interface Messages {
  /** A message is about to be queued, by the Session's owner, or by one that is not the owner any more. */
  send(session: string, message: Message, byOwner: boolean): void
  /** A turn begins of a message; what it gives is to be called once the turn said something. */
  hear(session: string, message: Message, attempt: number): () => void
  say(session: string, text: string): Known.Call
  hearSaid(session: string, text: string): void
}

export const make = (known: Knowledge): Messages => {
  const { agent, complain, count, the } = known

  const mayBeSent = (session: Session, reminder: Known.Reminder, { occurrenceAt, lateSeconds }: DueReminder): void => {
    const { rule, create, gone, offers } = reminder
    const { now, tick } = known
    const name = `${nameOf(session, reminder)} of ${show(occurrenceAt)}`
    const isLatest = Rule.isOnce(rule) || Rule.latest(rule, occurrenceAt, now) === occurrenceAt
    const before = offers.findLast(({ occurrence }) => occurrence >= occurrenceAt)
    if (create.answer === "refused") complain(`${name} was refused, and fires`)
    if (gone < tick) complain(`${name} is gone, and fires`)
    if (occurrenceAt > now) complain(`${name} fires early, at ${show(now)}`)
    if (lateSeconds !== Math.floor((now - occurrenceAt) / 1_000)) complain(`${name} is not ${lateSeconds} s late`)
    if (!isLatest) complain(`${name} is not the latest at ${show(now)}`)
    if (!Known.canOccur(reminder, occurrenceAt)) complain(`${name} is no occurrence that is left of it`)
    if (before !== undefined) count("reminders sent again")
    if (agent === "foreign" && (before?.tick ?? 0) > session.disturbed) complain(`${name} is sent twice, for no reason`)
  }

  const sendOne = (session: Session, due: DueReminder, byOwner: boolean): void => {
    const reminder = known.find(session, due.prompt)
    if (reminder === undefined) {
      return complain(`${session.name} is reminded of ${JSON.stringify(due.prompt)}, which nobody asked it for`)
    }
    if (byOwner) {
      identify(known, session, reminder, due.id)
      mayBeSent(session, reminder, due)
      count("reminders sent")
    }
    const { tick, now: at } = known
    reminder.offers.push({ tick, at, occurrence: due.occurrenceAt, byOwner, disturbances: session.disturbances })
  }

  /** One-shots go alone and first, by target; all due recurring ones share a message. */
  const mustBeSent = (session: Session, message: Message): void => {
    const sent = new Set(message.map(({ prompt }) => prompt))
    const once = message.find(({ prompt }) => Rule.isOnce(session.reminders.get(prompt)?.rule ?? Rule.NEVER))
    if (once !== undefined && message.length > 1) complain(`${session.name} ${once.id} shares a message`)
    for (const other of session.reminders.values()) {
      const target = Known.lastTarget(other)
      if (sent.has(other.prompt) || target > known.now || !Known.isActive(other, known.tick, known.tick)) continue
      const goesFirst = Rule.isOnce(other.rule) && target < (once?.occurrenceAt ?? Number.POSITIVE_INFINITY)
      if (goesFirst || once === undefined) {
        complain(`${nameOf(session, other)} is due as well, and is not sent with or before ${[...sent].join(", ")}`)
      }
    }
  }

  const mayBeHeard = (session: Session, reminder: Known.Reminder, occurrence: number, attempt: number): void => {
    const name = `${nameOf(session, reminder)} of ${show(occurrence)}`
    const sent = reminder.offers.filter((offer) => offer.occurrence === occurrence).length
    const before = reminder.hearings.filter((hearing) => hearing.occurrence === occurrence)
    if (sent === 0) complain(`${name} is heard, and was not sent`)
    if (agent === "foreign") {
      if (before.length >= sent) complain(`${name} is heard more often than it was sent`)
      return
    }
    if (attempt > 3) complain(`${name} is tried ${attempt} times`)
    if (before.some((hearing) => hearing.attempt === attempt)) complain(`${name} was admitted twice`)
    if (before.some((hearing) => hearing.attempt < attempt && hearing.tick > session.disturbed)) {
      complain(`${name} is heard again, for no reason`)
    }
  }

  const hearOne = (session: Session, due: DueReminder, attempt: number): ReadonlyArray<Known.Hearing> => {
    const { occurrenceAt: occurrence, prompt } = due
    const reminder = session.reminders.get(prompt)
    if (reminder === undefined) {
      complain(`${session.name} hears of ${JSON.stringify(prompt)}, which nobody asked it for`)
      return []
    }
    mayBeHeard(session, reminder, occurrence, attempt)
    count("reminders heard")
    const hearing = { tick: known.tick, occurrence, attempt, isOver: agent === "foreign" }
    reminder.hearings.push(hearing)
    return [hearing]
  }

  return {
    send: (name, message, byOwner) => {
      known.next()
      const session = the(name)
      for (const due of message) sendOne(session, due, byOwner)
      if (byOwner) mustBeSent(session, message)
    },
    hear: (name, message, attempt) => {
      known.next()
      const hearings = message.flatMap((due) => hearOne(the(name), due, attempt))
      return () => {
        for (const hearing of hearings) hearing.isOver = true
      }
    },
    say: (session, text) => {
      const call = known.begin()
      the(session).said.set(text, { call, heard: 0 })
      return call
    },
    hearSaid: (session, text) => {
      const saying = the(session).said.get(text)
      if (saying === undefined) return complain(`${session} hears ${JSON.stringify(text)}, which nobody said in it`)
      count("prompts heard")
      if (++saying.heard > 1) complain(`${session} hears ${JSON.stringify(text)} twice`)
    }
  }
}
