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
