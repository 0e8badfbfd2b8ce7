/**
 * Other validators, with schemas of the same changes, as strict: no unknown field, canonical instants, whole numbers.
 * They know less: they look at the form of a cron text, of a zone and of a date, not at what it means.
 */
import { Ajv } from "ajv"
import * as TypeBox from "typebox"
import { Compile } from "typebox/compile"
import * as v from "valibot"
import { z } from "zod"
import * as Version from "./Version.ts"

export interface Validator {
  readonly name: string
  /** The change, or an exception. */
  readonly validate: (change: unknown) => unknown
}

export const notes: ReadonlyArray<string> = [
  "The schemas of ajv, zod, valibot and TypeBox look at the form of instants, zones and cron texts alone; ours also " +
    "checks that a date is real, that a cron text is canonical and above the floor, and that the prompt can be stored."
]

const INSTANT = "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
const TIME = "^(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}$"
const ZONE = "^(?:UTC|[A-Za-z][A-Za-z0-9._+-]*(?:/[A-Za-z][A-Za-z0-9._+-]*)+)$"
const ID = "^\\S(?:.*\\S)?$"

const T = TypeBox.Type
const strict = { additionalProperties: false }
const text = (pattern: string) => T.String({ pattern })
const identity = { id: text(ID), prompt: T.String({ minLength: 1 }), scheduledAt: text(INSTANT) }
const zoned = { ...identity, timeZone: text(ZONE) }
const weekdays = T.Array(T.Integer({ minimum: 1, maximum: 7 }), { minItems: 1, uniqueItems: true })
const record = T.Union([
  T.Object({ ...identity, kind: T.Literal("after"), afterSeconds: T.Integer({ minimum: 1 }) }, strict),
  T.Object({ ...identity, kind: T.Literal("at") }, strict),
  T.Object({ ...identity, kind: T.Literal("every"), everySeconds: T.Integer({ minimum: 300 }) }, strict),
  T.Object({ ...zoned, kind: T.Literal("daily"), time: text(TIME) }, strict),
  T.Object({ ...zoned, kind: T.Literal("weekly"), time: text(TIME), weekdays }, strict),
  T.Object({ ...zoned, kind: T.Literal("cron"), expression: T.String({ minLength: 9 }) }, strict)
])
const change = { version: T.Literal(1), id: text(ID) }
const typeBox = T.Union([
  T.Object({ version: T.Literal(1), operation: T.Literal("create"), schedule: record }, strict),
  T.Object({ ...change, operation: T.Literal("delete") }, strict),
  T.Object({ ...change, operation: T.Literal("dispatch") }, strict),
  T.Object({ ...change, operation: T.Literal("dispatch"), acceptedAt: text(INSTANT) }, strict),
  T.Object(
    {
      ...change,
      operation: T.Literal("dispatch"),
      acceptedAt: text(INSTANT),
      nextScheduledAt: T.Union([text(INSTANT), T.Null()])
    },
    strict
  )
])

const checked =
  (isValid: (change: unknown) => boolean) =>
  (change: unknown): unknown => {
    if (!isValid(change)) throw new Error(`invalid: ${JSON.stringify(change)}`)
    return change
  }

const zod = () => {
  const text = (pattern: string) => z.string().regex(new RegExp(pattern, "u"))
  const identity = { id: text(ID), prompt: z.string().min(1), scheduledAt: text(INSTANT) }
  const zoned = { ...identity, timeZone: text(ZONE) }
  const record = z.discriminatedUnion("kind", [
    z.strictObject({ ...identity, kind: z.literal("after"), afterSeconds: z.int().min(1) }),
    z.strictObject({ ...identity, kind: z.literal("at") }),
    z.strictObject({ ...identity, kind: z.literal("every"), everySeconds: z.int().min(300) }),
    z.strictObject({ ...zoned, kind: z.literal("daily"), time: text(TIME) }),
    z.strictObject({
      ...zoned,
      kind: z.literal("weekly"),
      time: text(TIME),
      weekdays: z.array(z.int().min(1).max(7)).min(1)
    }),
    z.strictObject({ ...zoned, kind: z.literal("cron"), expression: z.string().min(9) })
  ])
  const change = { version: z.literal(1), id: text(ID) }
  return z.discriminatedUnion("operation", [
    z.strictObject({ version: z.literal(1), operation: z.literal("create"), schedule: record }),
    z.strictObject({ ...change, operation: z.literal("delete") }),
    z.strictObject({
      ...change,
      operation: z.literal("dispatch"),
      acceptedAt: text(INSTANT).optional(),
      nextScheduledAt: text(INSTANT).nullable().optional()
    })
  ])
}

const valibot = () => {
  const text = (pattern: string) => v.pipe(v.string(), v.regex(new RegExp(pattern, "u")))
  const whole = (least: number) => v.pipe(v.number(), v.integer(), v.minValue(least))
  const identity = { id: text(ID), prompt: v.pipe(v.string(), v.minLength(1)), scheduledAt: text(INSTANT) }
  const zoned = { ...identity, timeZone: text(ZONE) }
  const day = v.pipe(whole(1), v.maxValue(7))
  const record = v.variant("kind", [
    v.strictObject({ ...identity, kind: v.literal("after"), afterSeconds: whole(1) }),
    v.strictObject({ ...identity, kind: v.literal("at") }),
    v.strictObject({ ...identity, kind: v.literal("every"), everySeconds: whole(300) }),
    v.strictObject({ ...zoned, kind: v.literal("daily"), time: text(TIME) }),
    v.strictObject({
      ...zoned,
      kind: v.literal("weekly"),
      time: text(TIME),
      weekdays: v.pipe(v.array(day), v.minLength(1))
    }),
    v.strictObject({ ...zoned, kind: v.literal("cron"), expression: v.pipe(v.string(), v.minLength(9)) })
  ])
  const change = { version: v.literal(1), id: text(ID) }
  return v.variant("operation", [
    v.strictObject({ version: v.literal(1), operation: v.literal("create"), schedule: record }),
    v.strictObject({ ...change, operation: v.literal("delete") }),
    v.strictObject({
      ...change,
      operation: v.literal("dispatch"),
      acceptedAt: v.optional(text(INSTANT)),
      nextScheduledAt: v.optional(v.nullable(text(INSTANT)))
    })
  ])
}

/** Each compiled or built once, as they recommend. */
export const all = (): ReadonlyArray<Validator> => {
  const ajv = new Ajv().compile(typeBox)
  const compiled = Compile(typeBox)
  const zodSchema = zod()
  const valibotSchema = valibot()
  return [
    { name: `ajv ${Version.of("ajv")}`, validate: checked((change) => ajv(change)) },
    { name: `TypeBox ${Version.of("typebox")}, compiled`, validate: checked((change) => compiled.Check(change)) },
    { name: `zod ${Version.of("zod")}`, validate: (change) => zodSchema.parse(change) },
    { name: `valibot ${Version.of("valibot")}`, validate: (change) => v.parse(valibotSchema, change) }
  ]
}
