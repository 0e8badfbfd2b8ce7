import { assert, describe, it } from "@effect/vitest"
import * as Instant from "../../src/domain/Instant.ts"
import type { SessionEvent } from "../../src/domain/Session.ts"
import * as History from "../../src/host/History.ts"

const log = (...events: ReadonlyArray<readonly [type: string, data: unknown]>): ReadonlyArray<SessionEvent> =>
  events.map(([type, data], seq) => ({ seq, at: Instant.clamp(0), type, data }))
const prompt = (id: number, text: string) => ["inbox/queued", { message: { kind: "prompt", id, text } }] as const
const started = (turn: number, ...messages: ReadonlyArray<number>) => ["turn/started", { turn, messages }] as const
const said = (turn: number, text: string) =>
  ["turn/output", { turn, message: { role: "assistant", content: [{ type: "text", text }] } }] as const

const told = (events: ReadonlyArray<SessionEvent>) =>
  History.messages(events).map(({ role, content }) => {
    const [part] = typeof content === "string" ? [] : content
    return `${role}: ${part !== undefined && "text" in part ? part.text : ""}`
  })

describe("History", () => {
  it("tells what was said in the order of the turns, not of the inbox", () => {
    const events = log(
      prompt(1, "one"),
      started(1, 1),
      prompt(2, "two"),
      said(1, "first"),
      ["turn/ended", { turn: 1, outcome: "completed" }],
      started(2, 2),
      said(2, "second")
    )
    assert.deepStrictEqual(told(events), ["user: one", "assistant: first", "user: two", "assistant: second"])
  })

  it("does not tell what still waits in the inbox", () => {
    assert.deepStrictEqual(told(log(prompt(1, "one"), prompt(2, "two"), started(1, 1))), ["user: one"])
  })

  it("tells that a turn was cut short, so that no later one does its work again", () => {
    for (const outcome of ["failed", "interrupted"]) {
      const events = log(prompt(1, "one"), started(1, 1), ["turn/ended", { turn: 1, outcome }])
      assert.deepStrictEqual(told(events), ["user: one", "assistant: (This turn ended before it was finished.)"])
    }
  })

  it("begins with what someone said, where the log is read from the middle of a turn", () => {
    const result = { type: "tool-result", id: "c", name: "schedule_list", isFailure: false, result: [] }
    const events = log(
      ["turn/output", { turn: 1, message: { role: "tool", content: [result] } }],
      said(1, "first"),
      ["turn/ended", { turn: 1, outcome: "failed" }],
      prompt(2, "two"),
      started(2, 2)
    )
    assert.deepStrictEqual(told(events), ["user: two"])
  })

  const called = (turn: number) =>
    [
      "turn/output",
      {
        turn,
        message: {
          role: "assistant",
          content: [{ type: "tool-call", id: "c", name: "t", params: {}, providerExecuted: false }]
        }
      }
    ] as const

  it("leaves out a call that a crash left without its result", () => {
    const events = log(prompt(1, "one"), started(1, 1), called(1), ["turn/ended", { turn: 1, outcome: "interrupted" }])
    assert.deepStrictEqual(told(events), ["user: one", "assistant: (This turn ended before it was finished.)"])
  })

  it("counts a turn that was open when a fork was taken as cut short", () => {
    for (const inherited of [[], [called(1)]]) {
      const events = log(prompt(1, "one"), started(1, 1), ...inherited, prompt(2, "two"), started(2, 2))
      const messages = History.messages(events, 2 + inherited.length)
      assert.deepStrictEqual(
        messages.map(({ role }) => role),
        ["user", "assistant", "user"]
      )
    }
  })

  it("ends with what the open turn is to answer, however long ago it was queued", () => {
    const message = { kind: "prompt" as const, id: 7, text: "long ago" }
    const events = log(started(1, 1), said(1, "lost"), ["turn/ended", { turn: 1, outcome: "completed" }], started(2, 7))
    const upTo = History.upTo({ turn: 2, messages: [message] }, events)
    assert.deepStrictEqual(
      upTo.map(({ role }) => role),
      ["user"]
    )
    assert.deepStrictEqual(
      History.upTo({ turn: 9, messages: [message] }, []).map(({ role }) => role),
      ["user"]
    )
  })

  it("passes over what is not its own, or can't be read", () => {
    const events = log(
      ["schedule/change", {}],
      prompt(1, "one"),
      started(1, 1, 9),
      ["turn/output", { turn: 1, message: { role: "?" } }],
      ["turn/started", {}]
    )
    assert.deepStrictEqual(told(events), ["user: one"])
  })
})
