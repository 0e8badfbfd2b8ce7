/**
 * All that can be known without looking into a log, and the first thing in it that must not be.
 */
import * as Known from "./Known.ts"
import type { AgentKind } from "./Step.ts"

/** What is known of one Session. */
export interface Session {
  readonly name: string
  readonly reminders: Map<string, Known.Reminder>
  readonly deletes: Array<{ readonly id: string; readonly call: Known.Call }>
  /** What people said in it, and how often it was heard. */
  readonly said: Map<string, { readonly call: Known.Call; heard: number }>
  /** Ids that were given in its parent before it was forked. */
  readonly inherited: ReadonlySet<string>
  /** The last tick at which something happened that may repeat a message, and how often something did. */
  disturbed: number
  disturbances: number
  /** The last tick at which something was wrong with its log. */
  faulty: number
}

export interface Knowledge {
  readonly agent: AgentKind
  /** Counts everything that happens: an earlier tick is earlier. */
  readonly tick: number
  /** The wall clock. */
  readonly now: number
  readonly complaint: string | undefined
  readonly tally: ReadonlyMap<string, number>
  next(): number
  complain(about: string): void
  count(what: string): void
  add(name: string, parent?: string): void
  the(name: string): Session
  readonly reminders: ReadonlyArray<Known.Reminder>
  /** What is known of a reminder by its prompt, which no other has. */
  find(session: Session, prompt: string): Known.Reminder | undefined
  begin(): Known.Call
  end(call: Known.Call, answer: Known.Answer): void
  /** The wall clock was stepped from one instant to another. */
  stepped(from: number, to: number): void
}

const span = (call: Known.Call, ...instants: ReadonlyArray<number>): void => {
  call.least = Math.min(call.least, ...instants)
  call.most = Math.max(call.most, ...instants)
}

/** Ids that a fork at this tick must not give again. */
const given = (parent: Session, tick: number): ReadonlyArray<string> => [
  ...parent.inherited,
  ...[...parent.reminders.values()].flatMap(({ id, known }) => (id !== undefined && known < tick ? [id] : []))
]

export const make = (agent: AgentKind, now: () => number): Knowledge => {
  const sessions = new Map<string, Session>()
  const open = new Set<Known.Call>()
  const tally = new Map<string, number>()
  let tick = 0
  let complaint: string | undefined

  const count = (what: string): void => void tally.set(what, (tally.get(what) ?? 0) + 1)
  const the = (name: string): Session => {
    const session = sessions.get(name)
    if (session === undefined) throw new Error(`there is no Session ${name}`)
    return session
  }

  return {
    agent,
    get tick() {
      return tick
    },
    get now() {
      return now()
    },
    get complaint() {
      return complaint
    },
    tally,
    next: () => ++tick,
    complain: (about) => void (complaint ??= about),
    count,
    add: (name, parent) =>
      void sessions.set(name, {
        name,
        reminders: new Map(),
        deletes: [],
        said: new Map(),
        inherited: new Set(parent === undefined ? [] : given(the(parent), tick)),
        disturbed: 0,
        disturbances: 0,
        faulty: 0
      }),
    the,
    get reminders() {
      return [...sessions.values()].flatMap(({ reminders }) => [...reminders.values()])
    },
    find: (session, prompt) => {
      const reminder = session.reminders.get(prompt)
      if (reminder?.create.answer === "open") span(reminder.create, now())
      return reminder
    },
    begin: () => {
      const call: Known.Call = {
        from: ++tick,
        to: Number.POSITIVE_INFINITY,
        least: now(),
        most: now(),
        answer: "open"
      }
      open.add(call)
      return call
    },
    end: (call, answer) => {
      span(call, now())
      open.delete(call)
      call.to = ++tick
      call.answer = answer
      count(`calls: ${answer}`)
    },
    stepped: (from, to) => {
      for (const call of open) span(call, from, to)
    }
  }
}

/** A reminder for a reader. */
export const nameOf = ({ name }: Session, { prompt, id }: Known.Reminder): string =>
  `${name} ${JSON.stringify(prompt)}${id === undefined ? "" : ` (${id})`}`

export const show = (instant: number): string => new Date(instant).toISOString()

/** Two reminders never share an id, and a reminder never changes its own. */
export const identify = (known: Knowledge, session: Session, reminder: Known.Reminder, id: string): void => {
  if (reminder.id === id) return
  const name = nameOf(session, reminder)
  if (reminder.id !== undefined) return known.complain(`${name} is now called ${id}`)
  for (const other of session.reminders.values()) {
    if (other.id === id) known.complain(`${id} is given to ${nameOf(session, other)}, and to ${name}`)
  }
  if (session.inherited.has(id)) known.complain(`${id} was given before ${session.name} was forked, and to ${name}`)
  reminder.id = id
  for (const { call } of session.deletes.filter((removal) => removal.id === id)) {
    reminder.deletes.push(call)
    if (call.answer === "done") reminder.gone = Math.min(reminder.gone, call.to)
  }
}
