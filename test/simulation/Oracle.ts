/**
 * What must be true, by what callers were told and what the Agent heard. It complains of the first thing that is not.
 */
import type { DueReminder } from "../../src/host/localModel/ReminderFrame.ts"
import * as Known from "./Known.ts"
import * as Rule from "./Rule.ts"

/** An active reminder as a caller is shown it. */
export interface Shown {
  readonly id: string
  readonly prompt: string
  readonly scheduledAt: number
  readonly state: string
}

/** What the oracle knows of one Session. */
interface Session {
  readonly name: string
  readonly reminders: Map<string, Known.Reminder>
  readonly deletes: Array<{ readonly id: string; readonly call: Known.Call }>
  /** Ids that its parent had given when it was forked. */
  readonly inherited: ReadonlySet<string>
  /** What people said in it. */
  readonly said: Map<string, { readonly call: Known.Call; heard: number }>
  /** The last tick at which something happened that may repeat a message, and how often something did. */
  disturbed: number
  crashes: number
  /** The last tick at which something was wrong with its log. */
  faulty: number
}

export interface Oracle {
  /** The first thing that was not true. */
  readonly complaint: string | undefined
  /** How often what happened. */
  readonly tally: ReadonlyMap<string, number>
  complain(about: string): void
  /** A new Session, or a fork of another. */
  begin(session: string, parent?: string): void
  created(session: string, prompt: string, rule: Rule.Rule): Known.Call
  deleted(session: string, id: string): Known.Call
  called(): Known.Call
  /** The wall clock was stepped from one instant to another. */
  stepped(from: number, to: number): void
  /** Something is wrong with the Session's log, at this moment. */
  fault(session: string): void
  /** A message of the Session may be repeated once. */
  disturb(session: string): void
  /** The Session is cold, and its log was in order or not. */
  closed(session: string, faulty: boolean): void
  answer(call: Known.Call, answer: Known.Answer): void
  /** What a call must not end in, unless something was wrong with the Session's log meanwhile. */
  uncertain(session: string, call: Known.Call): void
  acknowledge(session: string, call: Known.Call, view: Shown): void
  /** `since`: the clock when all was well for longer than any delay already, if it was. */
  list(session: string, call: Known.Call, views: ReadonlyArray<Shown>, since?: number): void
  remove(session: string, call: Known.Call, id: string, existed: boolean): void
  offer(session: string, message: ReadonlyArray<DueReminder>, byOwner: boolean): void
  /** A turn begins of a message; what it gives is to be called once it said something. */
  hear(session: string, message: ReadonlyArray<DueReminder>, attempt: number): () => void
  said(session: string, text: string): Known.Call
  hearSaid(session: string, text: string): void
  /** The Session has been well for longer than any delay. */
  prompt(session: string): void
  /** All has been well for long, and all one-shots are past. */
  converged(session: string): void
}

export const make = (agent: "foreign" | "own", clock: () => number): Oracle => {
  const sessions = new Map<string, Session>()
  const open = new Set<Known.Call>()
  const tally = new Map<string, number>()
  let tick = 0
  let complaint: string | undefined

  const complain = (about: string): void => void (complaint ??= about)
  const of = (session: Session, reminder: Known.Reminder): string =>
    `${session.name} ${JSON.stringify(reminder.prompt)}${reminder.id === undefined ? "" : ` (${reminder.id})`}`

  const call = (): Known.Call => {
    const started: Known.Call = {
      from: ++tick,
      to: Number.POSITIVE_INFINITY,
      least: clock(),
      most: clock(),
      answer: "open"
    }
    open.add(started)
    return started
  }

  const span = (call: Known.Call, ...instants: ReadonlyArray<number>): void => {
    call.least = Math.min(call.least, ...instants)
    call.most = Math.max(call.most, ...instants)
  }

  const answer = (call: Known.Call, given: Known.Answer): void => {
    span(call, clock())
    open.delete(call)
    call.to = ++tick
    call.answer = given
    count(`calls ${given === "done" ? "answered" : given}`)
  }

  const the = (name: string): Session => sessions.get(name) as Session
  const count = (what: string): void => void tally.set(what, (tally.get(what) ?? 0) + 1)

  /** What is known of a reminder by what it says; its create may not be answered yet. */
  const find = (session: Session, prompt: string): Known.Reminder | undefined => {
    const reminder = session.reminders.get(prompt)
    if (reminder?.create.answer === "open") span(reminder.create, clock())
    return reminder
  }

  /** Two reminders never share an id, and a reminder never changes its own. */
  const identify = (session: Session, reminder: Known.Reminder, id: string): void => {
    if (reminder.id === id) return
    if (reminder.id !== undefined) return complain(`${of(session, reminder)} is now called ${id}`)
    for (const other of session.reminders.values()) {
      if (other.id === id) complain(`${id} is given to ${of(session, other)} and to ${JSON.stringify(reminder.prompt)}`)
    }
    if (session.inherited.has(id)) complain(`${id} was given before ${session.name} was forked`)
    reminder.id = id
    for (const { call } of session.deletes.filter((removal) => removal.id === id)) {
      reminder.deletes.push(call)
      if (call.answer === "done") reminder.gone = Math.min(reminder.gone, call.to)
    }
  }

  const see = (session: Session, reminder: Known.Reminder, view: Shown): void => {
    identify(session, reminder, view.id)
    if (!Known.canBeTarget(reminder, view.scheduledAt)) {
      complain(`${of(session, reminder)} is due at ${show(view.scheduledAt)}, which nothing explains`)
    }
    reminder.target = view.scheduledAt
    reminder.seen = tick
    reminder.known = Math.min(reminder.known, tick)
  }

  const state = (call: Known.Call, view: Shown): void => {
    const overdue = view.state === "overdue"
    if (overdue ? view.scheduledAt > call.most : view.scheduledAt <= call.least) {
      complain(`${view.id} is said to be ${view.state}, with a target at ${show(view.scheduledAt)}`)
    }
  }

  /** It is not there any more, or never was. */
  const miss = (session: Session, reminder: Known.Reminder, call: Known.Call): void => {
    if (Known.isActive(reminder, call.from, call.to))
      complain(`${of(session, reminder)} was acknowledged, and vanished`)
    if (reminder.create.to < call.from) reminder.gone = Math.min(reminder.gone, call.to)
  }

  const offerOne = (session: Session, due: DueReminder, among: number): void => {
    const reminder = find(session, due.prompt)
    if (reminder === undefined)
      return complain(`${session.name} is reminded of ${JSON.stringify(due.prompt)}, which nobody asked it for`)
    const { occurrenceAt: occurrence, lateSeconds, id } = due
    const name = `${of(session, reminder)} of ${show(occurrence)}`
    const now = clock()
    identify(session, reminder, id)
    if (reminder.create.answer === "refused") complain(`${name} was refused, and fires`)
    if (reminder.gone < tick) complain(`${name} is gone, and fires`)
    if (occurrence > now) complain(`${name} fires early, at ${show(now)}`)
    if (lateSeconds !== Math.floor((now - occurrence) / 1_000))
      complain(`${name} says it is ${lateSeconds} s late at ${show(now)}`)
    if (!Known.canOccur(reminder, occurrence)) complain(`${name} is no occurrence that is left of it`)
    if (!Rule.isOnce(reminder.rule) && Rule.latest(reminder.rule, occurrence, now) !== occurrence)
      complain(`${name} is not the latest at ${show(now)}`)
    if (Rule.isOnce(reminder.rule) && among > 1) complain(`${name} shares a message`)
    const before = reminder.offers.findLast((offer) => offer.occurrence >= occurrence)
    count("reminders sent")
    if (before !== undefined) count("reminders sent again")
    if (agent === "foreign" && before !== undefined && before.tick > session.disturbed)
      complain(`${name} is sent twice, for no reason`)
    reminder.offers.push({ tick, at: now, occurrence, byOwner: true })
  }

  /** One-shots go first, by target; all due recurring ones share a message. */
  const leftOut = (session: Session, message: ReadonlyArray<DueReminder>): void => {
    const sent = new Set(message.map(({ prompt }) => prompt))
    const [first] = message
    const once =
      first !== undefined && Rule.isOnce(session.reminders.get(first.prompt)?.rule ?? { kind: "after", seconds: 0 })
    for (const other of session.reminders.values()) {
      if (sent.has(other.prompt) || !Known.isActive(other, tick, tick) || Known.lastTarget(other) > clock()) continue
      if (Rule.isOnce(other.rule) ? !once || Known.lastTarget(other) < (first?.occurrenceAt ?? 0) : !once) {
        complain(`${of(session, other)} is due as well, and is not sent with or before ${[...sent].join(", ")}`)
      }
    }
  }

  const hearOne = (session: Session, due: DueReminder, attempt: number): ReadonlyArray<Known.Hearing> => {
    const reminder = session.reminders.get(due.prompt)
    const offered = reminder?.offers.some(({ occurrence }) => occurrence === due.occurrenceAt)
    if (reminder === undefined || !offered) {
      complain(`${session.name} hears of ${JSON.stringify(due.prompt)}, which was not sent`)
      return []
    }
    const name = `${of(session, reminder)} of ${show(due.occurrenceAt)}`
    const before = reminder.hearings.filter(({ occurrence }) => occurrence === due.occurrenceAt)
    const last = before.at(-1)
    if (agent === "own") {
      if (attempt > 3) complain(`${name} is tried ${attempt} times`)
      if (last !== undefined && attempt <= last.attempt) complain(`${name} was admitted twice`)
      if (last !== undefined && last.tick > session.disturbed) complain(`${name} is heard again, for no reason`)
    } else if (before.length >= reminder.offers.filter(({ occurrence }) => occurrence === due.occurrenceAt).length) {
      complain(`${name} is heard more often than it was sent`)
    }
    count("reminders heard")
    const hearing = { tick, occurrence: due.occurrenceAt, attempt, isOver: agent === "foreign" }
    reminder.hearings.push(hearing)
    return [hearing]
  }

  const disturb = (name: string): void => {
    const session = the(name)
    session.disturbed = ++tick
    session.crashes++
  }

  return {
    get complaint() {
      return complaint
    },
    tally,
    complain,
    begin: (name, parent) => {
      const before = parent === undefined ? undefined : sessions.get(parent)
      const ids = [...(before?.reminders.values() ?? [])].flatMap(({ id, known }) =>
        id !== undefined && known < tick ? [id] : []
      )
      const inherited = new Set([...(before?.inherited ?? []), ...ids])
      sessions.set(name, {
        name,
        reminders: new Map(),
        deletes: [],
        inherited,
        said: new Map(),
        disturbed: 0,
        crashes: 0,
        faulty: 0
      })
    },
    created: (session, prompt, rule) => {
      const created = call()
      the(session).reminders.set(prompt, Known.make(prompt, rule, created))
      return created
    },
    deleted: (session, id) => {
      const deleting = call()
      the(session).deletes.push({ id, call: deleting })
      for (const reminder of the(session).reminders.values()) if (reminder.id === id) reminder.deletes.push(deleting)
      return deleting
    },
    called: call,
    stepped: (from, to) => {
      for (const waiting of open) span(waiting, from, to)
    },
    fault: (session) => void (the(session).faulty = ++tick),
    disturb,
    closed: (name, faulty) => {
      if (faulty || agent === "own") disturb(name)
    },
    answer,
    uncertain: (session, call) => {
      answer(call, "uncertain")
      if (the(session).faulty < call.from)
        complain(`${session}: a call is uncertain, though nothing was wrong with its log`)
    },
    acknowledge: (name, call, view) => {
      answer(call, "done")
      const session = the(name)
      const reminder = session.reminders.get(view.prompt)
      if (reminder === undefined || reminder.create !== call)
        return complain(`${name}: another reminder was created than asked for`)
      see(session, reminder, view)
      state(call, view)
    },
    list: (name, call, views, since) => {
      answer(call, "done")
      const session = the(name)
      const shown = new Set(views.map(({ prompt }) => prompt))
      const numbers = views.map(({ id }) => Number(id.slice("schedule-".length)))
      if (numbers.some((n, i) => i > 0 && n <= (numbers[i - 1] ?? 0))) complain(`${name}: a list is not in order`)
      for (const view of views) {
        const reminder = find(session, view.prompt)
        if (reminder === undefined || reminder.create.answer === "refused")
          complain(`${name} lists ${JSON.stringify(view.prompt)}, which nobody created in it`)
        else see(session, reminder, view)
        if (reminder !== undefined && reminder.gone < call.from)
          complain(`${of(session, reminder)} is gone, and listed`)
        state(call, view)
        if (since !== undefined && view.scheduledAt < since) {
          complain(`${name} ${view.id} is listed as overdue since ${show(view.scheduledAt)}, though all is well`)
        }
      }
      for (const reminder of session.reminders.values()) if (!shown.has(reminder.prompt)) miss(session, reminder, call)
    },
    remove: (name, call, id, existed) => {
      answer(call, existed ? "done" : "refused")
      const session = the(name)
      const reminder = [...session.reminders.values()].find((other) => other.id === id)
      if (reminder === undefined) return
      if (!existed) return miss(session, reminder, call)
      if (reminder.gone < call.from) complain(`${of(session, reminder)} is gone, and deleted`)
      reminder.gone = Math.min(reminder.gone, call.to)
    },
    offer: (name, message, byOwner) => {
      tick++
      const session = the(name)
      if (!byOwner) {
        for (const { prompt, occurrenceAt } of message) {
          session.reminders.get(prompt)?.offers.push({ tick, at: clock(), occurrence: occurrenceAt, byOwner })
        }
        return
      }
      for (const due of message) offerOne(session, due, message.length)
      leftOut(session, message)
    },
    hear: (name, message, attempt) => {
      tick++
      const hearings = message.flatMap((due) => hearOne(the(name), due, attempt))
      return () => {
        for (const hearing of hearings) hearing.isOver = true
      }
    },
    said: (session, text) => {
      const saying = call()
      the(session).said.set(text, { call: saying, heard: 0 })
      return saying
    },
    hearSaid: (session, text) => {
      const saying = the(session).said.get(text)
      if (saying === undefined) return complain(`${session} hears ${JSON.stringify(text)}, which nobody said in it`)
      count("prompts heard")
      if (++saying.heard > 1) complain(`${session} hears ${JSON.stringify(text)} twice`)
    },
    prompt: (name) => {
      const session = the(name)
      for (const reminder of session.reminders.values()) {
        if (Known.isActive(reminder, tick, tick) && Known.lastTarget(reminder) <= clock() - 1_000) {
          complain(`${of(session, reminder)} is overdue since ${show(Known.lastTarget(reminder))}, though all is well`)
        }
      }
    },
    converged: (name) => {
      const session = the(name)
      for (const [text, { call, heard }] of session.said) {
        const sure = call.answer === "done" && call.to > session.disturbed
        if (agent === "own" && sure && heard === 0) complain(`${name} never heard ${JSON.stringify(text)}`)
      }
      for (const reminder of session.reminders.values()) {
        const sure =
          reminder.known < tick && reminder.deletes.every(({ answer }) => answer === "refused") && session.crashes < 3
        const offered = reminder.offers.findLast(({ byOwner }) => byOwner)
        const heard = reminder.hearings.at(-1)
        if (sure && heard === undefined) complain(`${of(session, reminder)} was acknowledged, and never heard`)
        if (sure && heard !== undefined && !heard.isOver && heard.attempt < 3) {
          complain(`${of(session, reminder)} was cut off by a crash, and not heard again`)
        }
        if (sure && offered !== undefined && heard?.occurrence !== offered.occurrence)
          complain(`${of(session, reminder)} was sent last for ${show(offered.occurrence)}, which nobody heard`)
      }
    }
  }
}

const show = (instant: number): string => new Date(instant).toISOString()
