import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Result, Schema, SchemaGetter, SchemaTransformation } from "effect"
import * as ScheduleChange from "../../src/domain/ScheduleChange.ts"
import { SessionEvent } from "../../src/domain/Session.ts"
import * as StrictDecoder from "../../src/domain/StrictDecoder.ts"

type Decodable = Schema.ConstraintDecoder<unknown>

const told = (decoded: Result.Result<unknown, Schema.SchemaError>): unknown =>
  Result.match(decoded, { onFailure: ({ message }) => ({ message }), onSuccess: (value) => ({ value }) })

/** What the schema's own decoder tells, which is what ours must tell too. */
const agree = (schema: Decodable, input: unknown): Result.Result<unknown, Schema.SchemaError> => {
  const own = Schema.decodeUnknownResult(schema, { onExcessProperty: "error" })(input)
  assert.deepStrictEqual(told(StrictDecoder.make(schema)(input)), told(own))
  return own
}

const scheduledAt = "2026-12-01T00:01:00.000Z"
const record = { id: "schedule-1", prompt: "p", scheduledAt }
const local = { ...record, timeZone: "America/New_York", time: "09:00:00.000" }
const create = (schedule: object) => ({ version: 1, operation: "create", schedule })
const dispatch = { version: 1, operation: "dispatch", id: "schedule-1" }
const event = { seq: 0, at: scheduledAt, type: "schedule/change", data: null }

const valid: ReadonlyArray<object> = [
  create({ ...record, kind: "after", afterSeconds: 1 }),
  create({ ...record, kind: "at" }),
  create({ ...record, kind: "every", everySeconds: 300 }),
  create({ ...local, kind: "daily" }),
  create({ ...local, kind: "weekly", weekdays: [1, 7] }),
  create({ ...record, kind: "cron", expression: "*/5 * * * *", timeZone: "UTC" }),
  { ...dispatch, operation: "delete" },
  dispatch,
  { ...dispatch, acceptedAt: scheduledAt },
  { ...dispatch, acceptedAt: scheduledAt, nextScheduledAt: null },
  { ...dispatch, acceptedAt: scheduledAt, nextScheduledAt: scheduledAt },
  event,
  { ...event, data: { any: [1, { thing: "x" }] } }
]

const schemas: ReadonlyArray<Decodable> = [
  ScheduleChange.ScheduleChange,
  ScheduleChange.Create,
  ScheduleChange.Delete,
  ScheduleChange.DispatchOneShot,
  ScheduleChange.DispatchEvery,
  ScheduleChange.DispatchCalendar,
  SessionEvent
]

const keys = [
  "version",
  "operation",
  "id",
  "schedule",
  "kind",
  "scheduledAt",
  "weekdays",
  "expression",
  "__proto__",
  "x"
]

/** What nearly is a value of a field, and what is none of any. */
const numbers = [0, -0, 1, 1.5, 2, 300, -1, 2 ** 53, Number.NaN]
const texts = [
  "",
  " p",
  "schedule-1",
  "create",
  "delete",
  "dispatch",
  "at",
  "cron",
  "daily",
  "UTC",
  "utc",
  "0 9 * * MON"
]
const instants = ["0000-01-01T00:00:00.000Z", "2026-02-30T00:00:00.000Z", "2026-12-01T00:01:00Z", scheduledAt]
const lists = [[], [1, 3], [3, 1], [1, "2"], [1, 1.5]]
const unstorable = ["\ud800", "a\0", "x".repeat(20_000)]
const odd: ReadonlyArray<unknown> = [
  ...numbers,
  ...texts,
  ...instants,
  ...lists,
  ...unstorable,
  {},
  true,
  null,
  undefined
]

const Nat = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000 }))
const Fault = Schema.Struct({
  where: Nat,
  how: Schema.Literals(["drop", "add", "change", "nest"]),
  what: Nat,
  json: Schema.Json
})

const pick = <A>(all: ReadonlyArray<A>, n: number): A | undefined => all[n % all.length]

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The same with one key dropped, added or changed, in itself or in an object that it holds. */
const damaged = (value: object, fault: typeof Fault.Type): object => {
  const entries = Object.entries(value)
  const [key, inner] = pick(entries, fault.where) ?? ["x", null]
  const rest = entries.filter(([name]) => name !== key)
  const other = fault.what % 3 === 0 ? fault.json : pick(odd, fault.what)
  if (isObject(inner) && fault.how !== "drop") {
    return { ...value, [key]: damaged(inner, { ...fault, where: fault.where >> 2 }) }
  }
  if (fault.how === "drop") return Object.fromEntries(rest)
  if (fault.how === "add") return Object.fromEntries([...entries, [pick(keys, fault.what) ?? "x", fault.json]])
  return Object.fromEntries([...rest, [key, fault.how === "nest" ? [inner] : other]])
}

describe("StrictDecoder", () => {
  it("decodes every change and event as its schema does", () => {
    for (const input of valid) {
      const accepted = schemas.filter((schema) => Result.isSuccess(agree(schema, input)))
      assert.isAbove(accepted.length, 0, JSON.stringify(input))
    }
    for (const schema of schemas) for (const input of odd) agree(schema, input)
  })

  it.prop(
    "accepts and refuses as the schema does, in its words, whatever became of a change",
    [Nat, Schema.Array(Fault)],
    ([which, faults]) => {
      const input = faults.reduce(damaged, pick(valid, which) ?? {})
      for (const schema of schemas) agree(schema, input)
    },
    { arbitrary: { runs: 1_000 } }
  )

  it.prop("accepts and refuses any JSON as the schema does", [Schema.Json], ([json]) => {
    for (const schema of schemas) agree(schema, json)
  })

  it("asks the schema's own decoder only after something may be wrong", () => {
    let asked = 0
    const counted = Schema.String.check(Schema.makeFilter((text) => ++asked > 0 && text !== "bad"))
    const decode = StrictDecoder.make(Schema.Struct({ text: counted }))
    assert.isTrue(Result.isSuccess(decode({ text: "good" })))
    assert.strictEqual(asked, 1)
    assert.isTrue(Result.isFailure(decode({ text: "bad" })))
    assert.strictEqual(asked, 3)
  })

  it("leaves to the schema's own decoder what it does not know", () => {
    const isA = Schema.makeFilter((text: unknown) => text !== "b")
    const effect = SchemaTransformation.transformEffect<number, string>({
      decode: (text) => Effect.sync(() => text.length),
      encode: (length) => Effect.succeed("x".repeat(length))
    })
    const passed = Schema.Literal("a").pipe(Schema.decodeTo(Schema.String, SchemaTransformation.passthroughSubtype()))
    const notEmpty = Schema.Record(Schema.String, Schema.NonEmptyString)
    const flipped = Schema.flip(Schema.Struct({ a: Schema.String }).check(Schema.makeFilter(({ a }) => a !== "b")))
    const cases: ReadonlyArray<readonly [Decodable, ReadonlyArray<unknown>]> = [
      [Schema.Boolean, [true, 1]],
      [Schema.Struct({}), [{}, [], { a: "a" }, 1, null]],
      [Schema.Struct({ ["__proto__"]: Schema.String }), [JSON.parse('{"__proto__":"a"}'), {}]],
      [
        Schema.StructWithRest(Schema.Struct({ a: Schema.String }), [notEmpty]),
        [{ a: "a" }, { a: "" }, { a: "a", b: "b" }]
      ],
      [Schema.TupleWithRest(Schema.Tuple([Schema.String]), [Schema.Number]), [["a", 1], ["a"], [1, 1]]],
      [Schema.Struct({ a: Schema.optionalKey(Schema.String) }), [{}, { a: "a" }, { a: 1 }, { b: 1 }]],
      [Schema.Record(Schema.String, Schema.Number), [{}, { a: 1 }, { a: "a" }]],
      [Schema.Tuple([Schema.String]), [["a"], [], [1]]],
      [Schema.Tuple([]), [[], [1]]],
      [Schema.Array(Schema.String), [[], ["a"], [1], {}]],
      [Schema.Union([Schema.String, Schema.Literal("a")], { mode: "oneOf" }), ["a", "b", 1]],
      [Schema.String.check(isA).check(Schema.isMinLength(1)), ["a", "b", ""]],
      [Schema.String.check(Schema.makeFilterGroup([isA, Schema.isMinLength(1)])), ["a", "b", ""]],
      [Schema.Option(Schema.String), [Option.some("a"), Option.some(1), "a"]],
      [Schema.Option(Schema.Struct({ a: Schema.String })), [Option.some({ a: "a" }), Option.some({ a: "a", b: "b" })]],
      [Schema.Date, [new Date(0), "a"]],
      [Schema.String.pipe(Schema.decodeTo(Schema.Number, effect)), ["aa", 1]],
      [passed, ["a", "b"]],
      [Schema.String.pipe(Schema.catchDecoding(() => Effect.succeedSome("c"))), ["a", 1]],
      [flipped, [{ a: "a" }, { a: "b" }]],
      [
        Schema.optionalKey(Schema.String).pipe(
          Schema.decodeTo(Schema.String, {
            decode: SchemaGetter.withDefault(Effect.succeed("d")),
            encode: SchemaGetter.passthrough()
          })
        ),
        ["a", undefined]
      ]
    ]
    for (const [schema, inputs] of cases) for (const input of inputs) agree(schema, input)
  })
})
