import { assert, describe, it } from "@effect/vitest"
import { Option, Result, Schema } from "effect"
import * as Instant from "../../src/domain/Instant.ts"
import * as ScheduleChange from "../../src/domain/ScheduleChange.ts"
import * as ScheduleHistory from "../../src/domain/ScheduleHistory.ts"
import * as ScheduleLog from "../../src/domain/ScheduleLog.ts"
import { SessionEvent } from "../../src/domain/Session.ts"
import { vectors } from "../vectors.ts"

interface Case {
  readonly name: string
  readonly events: ReadonlyArray<unknown>
  readonly seedLength: number
}

const readEvents = Schema.decodeUnknownSync(Schema.Array(SessionEvent))
const encode = Schema.encodeSync(Schema.Array(ScheduleHistory.ScheduleHistory))

/** A log of changes, each stored at the time that is written with it. */
const log = (...changes: ReadonlyArray<readonly [at: string, data: object]>): ReadonlyArray<SessionEvent> =>
  readEvents(
    changes.map(([at, data], seq) => ({
      seq,
      at: `2026-12-01T${at}.000Z`,
      type: ScheduleChange.EVENT_TYPE,
      data: { version: 1, ...data }
    }))
  )

const on = (time: string) => `2026-12-01T${time}.000Z`
const create = (schedule: object) => ({
  operation: "create",
  schedule: { id: "schedule-1", prompt: "Tea", ...schedule }
})
const dispatch = (more: object = {}) => ({ operation: "dispatch", id: "schedule-1", ...more })
const remove = { operation: "delete", id: "schedule-1" }

const daily = create({ kind: "daily", time: "09:00:00.000", timeZone: "Europe/Paris", scheduledAt: on("08:00:00") })
const every = create({ kind: "every", everySeconds: 300, scheduledAt: on("08:05:00") })
const once = create({ kind: "at", scheduledAt: on("08:00:00") })

const told = (events: ReadonlyArray<SessionEvent>, seedLength = 0) =>
  encode(Result.getOrThrow(ScheduleHistory.of(events, events.length, seedLength)))

describe("ScheduleHistory", () => {
  it("tells a one-shot from its creation to its dispatch, which was decided when it was stored", () => {
    assert.deepStrictEqual(told(log(["07:00:00", once], ["08:00:01", dispatch()])), [
      {
        id: "schedule-1",
        kind: "at",
        prompt: "Tea",
        createdAt: on("07:00:00"),
        occurrences: [{ target: on("08:00:00"), acceptedAt: on("08:00:01"), lateSeconds: 1, coalesced: 0 }],
        state: "dispatched",
        target: null,
        endedAt: on("08:00:01")
      }
    ])
  })

  it("counts the occurrences of an interval that a late message left out, and says what it waits for", () => {
    const [reminder] = told(
      log(
        ["08:00:00", every],
        ["08:05:02", dispatch({ acceptedAt: on("08:05:00") })],
        ["08:32:00", dispatch({ acceptedAt: on("08:31:59") })]
      )
    )
    assert.deepStrictEqual(reminder?.occurrences, [
      { target: on("08:05:00"), acceptedAt: on("08:05:00"), lateSeconds: 0, coalesced: 0 },
      { target: on("08:10:00"), acceptedAt: on("08:31:59"), lateSeconds: 1_319, coalesced: 4 }
    ])
    assert.deepInclude(reminder, { state: "active", target: on("08:35:00"), endedAt: null })
  })

  it("does not guess how many occurrences of a calendar rule were left out, nor what comes after its last", () => {
    const next = "2026-12-04T08:00:00.000Z"
    const accepted = "2026-12-03T09:00:00.000Z"
    const events = log(
      ["07:00:00", daily],
      ["08:00:00", dispatch({ acceptedAt: accepted, nextScheduledAt: next })],
      ["08:00:01", dispatch({ acceptedAt: next, nextScheduledAt: null })]
    )
    const [reminder] = told(events)
    assert.deepStrictEqual(reminder?.occurrences, [
      { target: on("08:00:00"), acceptedAt: accepted, lateSeconds: 176_400, coalesced: null },
      { target: next, acceptedAt: next, lateSeconds: 0, coalesced: null }
    ])
    assert.deepInclude(reminder, { state: "dispatched", target: null, endedAt: on("08:00:01") })
  })

  it("tells that one was deleted, and when", () => {
    const [reminder] = told(log(["07:00:00", every], ["07:00:09", remove]))
    assert.deepInclude(reminder, { state: "deleted", target: null, endedAt: on("07:00:09"), occurrences: [] })
  })

  it("shows a one-shot that a clock gone astray sent too early", () => {
    const [reminder] = told(log(["07:00:00", once], ["07:59:58", dispatch()]))
    assert.strictEqual(reminder?.occurrences[0]?.lateSeconds, -2)
  })

  it("tells nothing of a fork's parent, and passes over events of other types", () => {
    const [first, second] = log(["07:00:00", once], ["07:30:00", { ...every }])
    const note = { ...first, type: "note" } as SessionEvent
    assert.deepStrictEqual(
      told(
        [note, first as SessionEvent, second as SessionEvent].map((event, seq) => ({ ...event, seq })),
        2
      ).map(({ kind }) => kind),
      ["every"]
    )
  })

  it("refuses a corrupt log as the fold does, and a seed that is longer than the log", () => {
    for (const { name, events, seedLength } of vectors<Case>("replay")) {
      const all = readEvents(events)
      const history = ScheduleHistory.of(all, all.length, seedLength)
      const folded = ScheduleLog.fold(all, seedLength)
      assert.deepStrictEqual(
        Option.map(Result.getFailure(history), ({ message }) => message),
        Option.map(Result.getFailure(folded), ({ message }) => message),
        name
      )
    }
  })

  it("agrees with the fold on what is active, on every target, and on every id", () => {
    for (const { name, events, seedLength } of vectors<Case>("replay")) {
      const all = readEvents(events)
      const folded = ScheduleLog.fold(all, seedLength)
      if (Result.isFailure(folded)) continue
      const histories = Result.getOrThrow(ScheduleHistory.of(all, all.length, seedLength))
      assert.deepStrictEqual(
        histories.map(({ id }) => id),
        ScheduleLog.seenIds(folded.success),
        name
      )
      const waiting = histories.flatMap(({ id, target }) =>
        target === null ? [] : [`${id} ${Instant.format(target)}`]
      )
      const active = ScheduleLog.active(folded.success)
      assert.deepStrictEqual(
        waiting,
        active.map(({ id, scheduledAt }) => `${id} ${Instant.format(scheduledAt)}`),
        name
      )
    }
  })
})
