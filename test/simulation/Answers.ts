/**
 * What callers are told must be true: acknowledged reminders are there until they are heard or deleted, and no others.
 */
import type * as Rule from "./Rule.ts"
import * as Known from "./Known.ts"
import { identify, type Knowledge, nameOf, type Session, show } from "./Knowledge.ts"

/** An active reminder as a caller is shown it. */
export interface Shown {
  readonly id: string
  readonly prompt: string
  readonly scheduledAt: number
  readonly state: string
}

export interface Answers {
  /** Someone asks for a reminder. */
  create(session: string, prompt: string, rule: Rule.Rule): Known.Call
  remove(session: string, id: string): Known.Call
  created(session: string, call: Known.Call, view: Shown): void
  removed(session: string, call: Known.Call, id: string, existed: boolean): void
  /** `since`: what is due before has to be gone, for all has been well for longer than any delay. */
  listed(session: string, call: Known.Call, views: ReadonlyArray<Shown>, since?: number): void
  /** What a call can end in only if something was wrong with the Session's log meanwhile. */
  uncertain(session: string, call: Known.Call): void
}

export const make = (known: Knowledge): Answers => {
  const { complain, the } = known

  const see = (session: Session, reminder: Known.Reminder, call: Known.Call, view: Shown): void => {
    identify(known, session, reminder, view.id)
    const name = nameOf(session, reminder)
    const due = show(view.scheduledAt)
    if (reminder.gone < call.from) complain(`${name} is gone, and shown`)
    // Answers may overtake each other.
    if (view.scheduledAt < (reminder.target ?? 0) && call.from < reminder.shown) return
    if (!Known.canBeTarget(reminder, view.scheduledAt)) complain(`${name} is due at ${due}, which nothing explains`)
    const isWrong = view.state === "overdue" ? view.scheduledAt > call.most : view.scheduledAt <= call.least
    if (isWrong) complain(`${name} is said to be ${view.state}, and is due at ${due}`)
    reminder.target = view.scheduledAt
    reminder.seen = call.from
    reminder.shown = known.tick
    reminder.known = Math.min(reminder.known, known.tick)
  }

  /** It is not there any more, or never was. */
  const miss = (session: Session, reminder: Known.Reminder, call: Known.Call): void => {
    if (Known.isActive(reminder, call.from, call.to)) {
      complain(`${nameOf(session, reminder)} was acknowledged, and vanished`)
    }
    if (reminder.create.to < call.from) reminder.gone = Math.min(reminder.gone, call.to)
  }

  return {
    create: (session, prompt, rule) => {
      const call = known.begin()
      the(session).reminders.set(prompt, Known.make(prompt, rule, call))
      return call
    },
    remove: (name, id) => {
      const call = known.begin()
      const { deletes, reminders } = the(name)
      deletes.push({ id, call })
      for (const reminder of reminders.values()) if (reminder.id === id) reminder.deletes.push(call)
      return call
    },
    created: (name, call, view) => {
      known.end(call, "done")
      const session = the(name)
      const reminder = session.reminders.get(view.prompt)
      if (reminder?.create === call) see(session, reminder, call, view)
      else complain(`${name}: another reminder was created than asked for`)
    },
    removed: (name, call, id, existed) => {
      known.end(call, existed ? "done" : "refused")
      const session = the(name)
      const reminder = [...session.reminders.values()].find((other) => other.id === id)
      if (reminder === undefined) return
      if (!existed) return miss(session, reminder, call)
      if (reminder.gone < call.from) complain(`${nameOf(session, reminder)} is gone, and deleted`)
      reminder.gone = Math.min(reminder.gone, call.to)
    },
    listed: (name, call, views, since = Number.NEGATIVE_INFINITY) => {
      known.end(call, "done")
      const session = the(name)
      const numbers = views.map(({ id }) => Number(id.slice("schedule-".length)))
      if (numbers.some((n, i) => n <= (numbers[i - 1] ?? 0))) complain(`${name}: a list is not in order`)
      for (const view of views) {
        const reminder = known.find(session, view.prompt)
        if (reminder === undefined || reminder.create.answer === "refused") {
          complain(`${name} lists ${JSON.stringify(view.prompt)}, which nobody created in it`)
        } else see(session, reminder, call, view)
        if (view.scheduledAt < since) {
          complain(`${name} lists ${view.id}, which is overdue since ${show(view.scheduledAt)}, though all is well`)
        }
      }
      const shown = new Set(views.map(({ prompt }) => prompt))
      for (const reminder of session.reminders.values()) if (!shown.has(reminder.prompt)) miss(session, reminder, call)
    },
    uncertain: (session, call) => {
      known.end(call, "uncertain")
      if (the(session).faulty < call.from) {
        complain(`${session}: a call is uncertain, though nothing was wrong with its log`)
      }
    }
  }
}
