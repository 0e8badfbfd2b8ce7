import { assert, describe, it } from "@effect/vitest"
import * as Account from "./Account.ts"
import * as Ledger from "./Ledger.ts"

const session = "s"
const prompt = "errand"
const at = "2026-12-01T00:00:00.000Z"
const target = "2026-12-01T00:00:01.000Z"

const change = (data: object) => ({ type: "schedule/change", at, data: { version: 1, ...data } })
const created = change({
  operation: "create",
  schedule: { id: "schedule-1", kind: "after", afterSeconds: 1, prompt, scheduledAt: target }
})
const deleted = change({ operation: "delete", id: "schedule-1" })
const message = (id: number, when = target, attempt = 1) => ({
  type: "inbox/queued",
  at: when,
  data: { message: { kind: "follow-up", id, attempt, text: "", source: { kind: "schedule", ids: ["schedule-1"] } } }
})
const dispatched = change({ operation: "dispatch", id: "schedule-1" })
const turn = (id: number) => [
  { type: "turn/started", at: target, data: { turn: id, messages: [id] } },
  { type: "turn/ended", at: target, data: { turn: id, outcome: "completed" } }
]
const delivered = [message(1), dispatched, ...turn(1)]

const view = { id: "schedule-1", prompt, kind: "after", scheduledAt: target, state: "scheduled" }

const claim = (rest: Partial<Ledger.Claim> = {}): Ledger.Claim => ({
  session,
  prompt,
  created: "acknowledged",
  id: "schedule-1",
  scheduledAt: Date.parse(target),
  deleted: undefined,
  ...rest
})

const reckon = (
  claims: ReadonlyArray<Ledger.Claim>,
  events: ReadonlyArray<Omit<Ledger.Event, "seq">>,
  views: ReadonlyArray<Ledger.View> = [],
  books: Partial<Ledger.Ledger> = {}
) => {
  const ledger = { ...Ledger.make(1), claims: [...claims], ...books }
  return Account.checkSession(ledger, { session, events: events.map((event, seq) => ({ seq, ...event })), views })
}

const isWell = (faults: ReadonlyArray<string>) => assert.deepStrictEqual(faults, [])
const notices = (faults: ReadonlyArray<string>, what: string) => assert.include(faults.join("\n"), what)

describe("The reckoning", () => {
  it("finds nothing wrong with reminders that wait, are delivered, or are deleted", () => {
    isWell(reckon([claim()], [created], [view]))
    isWell(reckon([claim()], [created, ...delivered]))
    isWell(reckon([claim({ deleted: "acknowledged" })], [created, deleted]))
    isWell(reckon([claim({ deleted: "unknown" })], [created, ...delivered]))
  })

  it("lets what was not acknowledged be either", () => {
    const unsure = claim({ created: "unknown", id: undefined, scheduledAt: undefined })
    isWell(reckon([unsure], []))
    isWell(reckon([unsure], [created, ...delivered]))
  })

  it("lets a message that a crash cut off open another turn", () => {
    const cut = { type: "turn/ended", at, data: { turn: 1, outcome: "interrupted" } }
    const [begun] = turn(1)
    isWell(
      reckon(
        [claim()],
        [created, message(1), dispatched, ...(begun ? [begun] : []), cut, message(2, at, 2), ...turn(2)].map(
          (event) => ({ ...event, at: target })
        )
      )
    )
  })

  it("notices what is lost", () => {
    notices(reckon([claim()], []), "is lost")
    notices(reckon([claim()], [created]), "not over, and not listed")
    const sayings = [{ session, text: "hello", queued: "acknowledged" as const }]
    notices(reckon([], [], [], { sayings }), "is lost")
  })

  it("notices what comes twice", () => {
    notices(reckon([claim()], [created, ...delivered, message(2), ...turn(2)]), "delivered 2 times")
    notices(reckon([claim()], [created, created], [view]), "created twice")
    notices(reckon([claim()], [created, ...delivered, ...turn(1)]), "message 1 opened 2 turns")
  })

  it("notices a delivery without its dispatch, and a dispatch without its delivery", () => {
    notices(reckon([claim()], [created, message(1), ...turn(1)], [view]), "presented 1 times, dispatched 0")
    notices(reckon([claim()], [created, dispatched]), "presented 0 times, dispatched 1")
  })

  it("notices a delivery before the target", () => {
    notices(reckon([claim()], [created, message(1, at), dispatched, ...turn(1)]), "before its target")
  })

  it("notices a deletion that is not so, that nobody asked for, or that came after the delivery", () => {
    notices(reckon([claim({ deleted: "acknowledged" })], [created], [view]), "was deleted, and is not")
    notices(reckon([claim()], [created, deleted]), "nobody asked for it")
    notices(reckon([claim({ deleted: "unknown" })], [created, ...delivered, deleted]), "deleted and delivered")
  })

  it("notices what is shown otherwise than before", () => {
    const events = [{ seq: 0, ...created, at: target }]
    notices(reckon([claim()], [created], [view], { shown: new Map([[session, { session, events }]]) }), "shown once")
    notices(reckon([claim({ id: "schedule-7" })], [created], [view]), "acknowledged as schedule-7")
    notices(reckon([claim({ scheduledAt: 0 })], [created], [view]), "another target")
    notices(reckon([claim()], [], [view]), "never created")
  })

  it("notices a message that opened no turn, and a turn that did not end", () => {
    notices(reckon([claim()], [created, message(1), dispatched]), "message 1 opened 0 turns")
    notices(reckon([claim()], [created, ...delivered.slice(0, 3)]), "turn 1 ended 0 times")
  })
})
