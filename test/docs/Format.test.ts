import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Option, Result, Schema } from "effect"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Due from "../../src/domain/Due.ts"
import * as FollowUp from "../../src/domain/FollowUp.ts"
import * as ScheduleChange from "../../src/domain/ScheduleChange.ts"
import * as ScheduleLog from "../../src/domain/ScheduleLog.ts"
import { ScheduleRecord } from "../../src/domain/ScheduleRecord.ts"
import { SessionEvent, SessionHeader } from "../../src/domain/Session.ts"
import * as Conversation from "../../src/host/Conversation.ts"
import { HostEvent } from "../../src/host/HostEvent.ts"
import * as Cli from "../cli/Cli.ts"
import * as Page from "./Page.ts"
import * as Transcript from "./Transcript.ts"

const page = Page.read("docs/format.md")
const [file = ""] = Page.blocks(page, "jsonl")
const [header, ...lines] = file.trimEnd().split("\n")
const strict = { onExcessProperty: "error" } as const
const events = lines.map((line) => Schema.decodeUnknownSync(SessionEvent, strict)(JSON.parse(line)))

const fold = (events: ReadonlyArray<SessionEvent>) => Result.getOrThrow(ScheduleLog.fold(events))

const changes = events.filter(({ type }) => type === ScheduleChange.EVENT_TYPE)

/** The places that a row of a table names. */
const places = (cell = ""): ReadonlyArray<number> => Array.from(cell.matchAll(/\d+/gu), Number)

/** What a table's row says that such a change has. */
const shapeOf = ({ operation, ...rest }: ScheduleChange.Encoded) =>
  [operation, ...Object.keys(rest).filter((key) => key !== "version")].join(" ")

describe("The page about the format", () => {
  for (const step of Transcript.steps(page)) {
    it.effect(`shows what is printed by ${step.command}`, () =>
      Effect.map(Transcript.run(step, file), (printed) => assert.strictEqual(printed, step.output))
    )
  }

  it("shows a log with a change of every form, and an event of the host of every type", () => {
    const decoded = changes.map(({ data }) => Result.getOrThrow(ScheduleChange.decode(data)))
    const made = decoded.flatMap((change) => (change.operation === "create" ? [change.schedule.kind] : []))
    assert.sameMembers(
      made,
      ScheduleRecord.members.map(({ fields }) => fields.kind.literal)
    )
    assert.strictEqual(new Set(decoded.map((change) => shapeOf(ScheduleChange.encode(change)))).size, 5)
    assert.sameMembers(
      [...new Set(events.map(({ type }) => type))],
      [ScheduleChange.EVENT_TYPE, ...HostEvent.members.map(({ fields }) => fields.type.literal)]
    )
    for (const event of events) {
      const read = Conversation.read(event)
      assert.strictEqual(Option.isNone(read), event.type === ScheduleChange.EVENT_TYPE)
      if (Option.isSome(read)) assert.isTrue(Result.isSuccess(read.value))
    }
    assert.isTrue(Schema.is(SessionHeader)(Schema.decodeUnknownSync(SessionHeader, strict)(JSON.parse(header!).header)))
  })

  it("points at the right examples of the log", () => {
    for (const [change = "", , examples] of Page.table(
      page,
      "change",
      "`data` besides `version` and `operation`",
      "examples (`seq`)",
      "means"
    )) {
      const [operation, ...kinds] = Page.codes(change)
      assert.isNotEmpty(places(examples))
      for (const place of places(examples)) {
        const change = Result.getOrThrow(ScheduleChange.decode(events[place]?.data))
        assert.strictEqual(change.operation, operation)
        if (change.operation !== "dispatch") continue
        const record = ScheduleLog.get(fold(events.slice(0, place)), change.id)
        assert.include(kinds, Option.getOrThrow(record).kind)
      }
    }
    const own = Page.table(page, "type", "`data`", "examples (`seq`)")
    for (const [type, , examples] of own) {
      assert.deepStrictEqual(
        events.filter((event) => event.type === Page.code(type)).map(({ seq }) => seq),
        places(examples)
      )
    }
    assert.strictEqual(own.length, HostEvent.members.length)
  })

  it("shows messages and dispatches as they are decided and built", () => {
    const queued = events.filter(
      ({ type, data }) => type === "inbox/queued" && JSON.stringify(data).includes("follow-up")
    )
    assert.strictEqual(queued.length, 2)
    for (const { seq, at, data } of queued) {
      const due = Due.decide(fold(events.slice(0, seq)), at)
      if (due.kind === "wait") return assert.fail(`nothing is due at ${seq}`)
      const { source, text } = FollowUp.build(due)
      const { message } = data as { readonly message: FollowUp.FollowUp }
      assert.deepStrictEqual({ source: message.source, text: message.text }, { source, text })
      const dispatches = Due.dispatches(due).map(ScheduleChange.encode)
      const shown = events.slice(seq + 1, seq + 1 + dispatches.length)
      assert.deepStrictEqual<ReadonlyArray<unknown>>(
        shown.map((event) => event.data),
        dispatches
      )
      assert.isTrue(shown.every((event) => event.at === at))
    }
  })

  it("tells why each of its corrupt events is refused", () => {
    const rows = Page.table(page, "`data`", "reason")
    assert.isAbove(rows.length, 10)
    for (const [data, reason] of rows) {
      const event = {
        ...events[0]!,
        seq: events.length,
        type: ScheduleChange.EVENT_TYPE,
        data: JSON.parse(Page.code(data))
      }
      const folded = ScheduleLog.fold([...events, event])
      assert.strictEqual(Result.isFailure(folded) ? folded.failure.reason : "it folds", reason)
    }
  })

  it("tells which fields a record of each kind has", () => {
    const rows = Page.table(page, "kind", "a record has, besides `id`, `prompt`, `kind` and `scheduledAt`")
    const fields = new Map(
      changes.flatMap(({ data }) => {
        const { schedule } = data as { readonly schedule?: Record<string, unknown> }
        return schedule === undefined ? [] : [[schedule["kind"], Object.keys(schedule)] as const]
      })
    )
    const told = rows.map(([kind, has]) => [Page.code(kind), Page.codes(has)] as const)
    assert.strictEqual(told.length, fields.size)
    for (const [kind, has] of told) {
      const own = (fields.get(kind) ?? []).filter((key) => !["id", "prompt", "kind", "scheduledAt"].includes(key))
      const named = kind === "weekly" ? ["time", "timeZone", ...has] : has
      assert.includeMembers([...named], own)
    }
  })

  it.effect("shows a log that is imported and exported as the same bytes, and is whole", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const folder = yield* files.makeTempDirectoryScoped()
      const [log, db] = [`${folder}/tea.jsonl`, `${folder}/tea.db`]
      yield* files.writeFileString(log, file)
      assert.strictEqual((yield* Cli.run(["import", log, "--db", db])).code, 0)
      const exported = yield* Cli.run(["export", "tea", "--db", db])
      assert.strictEqual(exported.out.map((line) => line.replace(/\n$/u, "")).join("\n"), file.trimEnd())
      assert.strictEqual((yield* Cli.run(["verify", log, db])).code, 0)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
