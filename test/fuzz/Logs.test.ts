import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Schema } from "effect"
import { json, jsonLines, type Ran, run } from "../cli/Cli.ts"
import * as Nasty from "./Nasty.ts"

const now = "2026-12-01T01:00:00Z"
const at = "2026-12-01T00:00:00.000Z"
const later = "2026-12-01T00:30:00.000Z"

const change = (data: object) => ({ at, type: "schedule/change", data: { version: 1, ...data } })
const create = (n: number, rest: object) =>
  change({ operation: "create", schedule: { id: `schedule-${n}`, prompt: "Tea é🙂", scheduledAt: at, ...rest } })
const dispatch = (n: number, rest: object) => change({ operation: "dispatch", id: `schedule-${n}`, ...rest })

/** A log with every kind of record, change and event. */
const events: ReadonlyArray<object> = [
  { at, type: "inbox/queued", data: { message: { kind: "prompt", id: 1, text: "remind me" } } },
  create(1, { kind: "after", afterSeconds: 60 }),
  create(2, { kind: "at" }),
  create(3, { kind: "every", everySeconds: 300 }),
  create(4, { kind: "daily", time: "09:00:00.000", timeZone: "Europe/Paris" }),
  create(5, { kind: "weekly", time: "09:00:00.000", timeZone: "Europe/Paris", weekdays: [1, 5] }),
  create(6, { kind: "cron", expression: "0 9 * * 1-5", timeZone: "America/New_York" }),
  dispatch(1, {}),
  dispatch(3, { acceptedAt: later }),
  dispatch(4, { acceptedAt: later, nextScheduledAt: "2026-12-02T08:00:00.000Z" }),
  change({ operation: "delete", id: "schedule-2" }),
  dispatch(6, { acceptedAt: later, nextScheduledAt: null })
].map((event, seq) => ({ seq, ...event }))

const header = { header: { version: 1, id: "demo", createdAt: at } }
const lines: ReadonlyArray<string> = [header, ...events].map((line) => JSON.stringify(line))
const log = Buffer.from(lines.map((line) => `${line}\n`).join(""))

const replay = (bytes: Uint8Array) => run(["replay", "-", "--json", "--now", now], bytes)

/** A log is folded, or refused in one line of JSON. */
const isRead = (ran: Ran, where: string): void => {
  assert.deepStrictEqual([ran.err, ran.out.length], [[], 1], where)
  const told = json(ran)
  if (ran.code === 0) return assert.hasAllKeys(told, ["active", "seenIds", "due"], where)
  assert.strictEqual(ran.code, 1, where)
  assert.strictEqual(told.code, "corrupt_schedule_log", where)
  Nasty.isFailure(told, where)
}

const text = (value: unknown): string => {
  try {
    return JSON.stringify(value)
  } catch {
    return Nasty.deepArray(10_000)
  }
}

/** The log with one of its lines turned into something else. */
const near = Arbitrary.map(
  Arbitrary.all([
    Nasty.near([header, ...events]),
    Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: events.length })))
  ]),
  ([line, place]) => Buffer.from(lines.map((sound, n) => (n === place ? text(line) : sound)).join("\n"))
)

describe("replay", () => {
  it.effect("folds a log that is cut off at the end of a line, and names the line of any other cut", () =>
    Effect.gen(function* () {
      const ends = new Set<number>()
      for (let end = 0, n = 0; n < lines.length; n++) {
        end += Buffer.byteLength(lines[n] ?? "")
        ends.add(end).add(end + 1)
        end++
      }
      for (let cut = 0; cut <= log.length; cut++) {
        if (cut % 3 !== 0 && !ends.has(cut)) continue
        const ran = yield* replay(log.subarray(0, cut))
        isRead(ran, `cut at ${cut}`)
        assert.strictEqual(ran.code, cut === 0 || ends.has(cut) ? 0 : 1, `cut at ${cut}`)
        if (ran.code !== 0) {
          const line = log.subarray(0, cut).toString().split("\n").length
          assert.include(json(ran).message, `line ${line} is no JSON`)
        }
      }
    })
  )

  it.effect("answers a log with any bit turned over", () =>
    Effect.gen(function* () {
      for (let place = 0; place < log.length; place += 2) {
        const bytes = Buffer.from(log)
        bytes.writeUInt8(bytes.readUInt8(place) ^ (1 << ((place >> 1) % 8)), place)
        isRead(yield* replay(bytes), `bit at ${place}`)
      }
    })
  )

  it.effect.prop(
    "answers a log of which a line is another",
    [near],
    ([bytes]) => Effect.map(replay(bytes), (ran) => isRead(ran, Nasty.brief(bytes.toString()))),
    Nasty.runs(200)
  )

  it.effect("answers texts and bytes of any kind", () =>
    Effect.gen(function* () {
      for (const nasty of Nasty.texts) {
        isRead(yield* replay(Buffer.from(nasty)), Nasty.brief(nasty))
        isRead(yield* replay(Buffer.concat([log, Buffer.from(nasty.replaceAll("\n", " "))])), Nasty.brief(nasty))
        const data = `{"seq":0,"at":"${at}","type":"note","data":${nasty.replaceAll("\n", " ")}}`
        isRead(yield* replay(Buffer.from(data)), Nasty.brief(nasty))
      }
      for (const bytes of Nasty.bytes) isRead(yield* replay(bytes), Nasty.brief(bytes))
    })
  )
})

const record = { id: "schedule-1", kind: "at", prompt: "Tea", scheduledAt: at }
const requests: ReadonlyArray<unknown> = [
  ...Nasty.requests.map((request) => ({ request, now, count: 2 })),
  { record, now },
  { record: { ...record, kind: "cron", expression: "0 9 * * 1-5", timeZone: "America/New_York" }, now }
]

const preview = (bytes: Uint8Array) => run(["preview", "--now", now, "-"], bytes)

/** Every line that is not blank is answered by one line of JSON. */
const isAnswered = (ran: Ran, count: number, where: string): void => {
  assert.deepStrictEqual([ran.code, ran.err, ran.out.length], [0, [], count], where)
  for (const told of jsonLines(ran)) if ("code" in told) Nasty.isFailure(told, where)
}

const count = (bytes: Uint8Array): number =>
  new TextDecoder()
    .decode(bytes)
    .split(/\r\n|\n|\r/u)
    .filter((line) => line.trim() !== "").length

describe("preview of lines", () => {
  it.effect.prop(
    "answers each, whatever JSON it is",
    [Arbitrary.array(Nasty.near(requests), { minLength: 10, maxLength: 10 })],
    ([all]) =>
      Effect.gen(function* () {
        const bytes = Buffer.from(all.map((line) => `${text(line)}\n`).join(""))
        isAnswered(yield* preview(bytes), all.length, Nasty.brief(all))
      }),
    Nasty.runs(25)
  )

  it.effect("answers each, whatever text or bytes it is", () =>
    Effect.gen(function* () {
      for (const nasty of [...Nasty.texts, ...Nasty.bytes]) {
        const bytes = Buffer.concat([Buffer.from(nasty), Buffer.from('\n{"request":{}}\n')])
        isAnswered(yield* preview(bytes), count(bytes), Nasty.brief(nasty))
      }
    })
  )
})
