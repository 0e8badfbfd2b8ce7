/**
 * What nobody in their right mind sends: values, keys and texts that break parsers, stores and those who trust them.
 */
import { inspect } from "node:util"
import { assert } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"

/** Set these to explore: another seed, many times the runs. */
const { FUZZ_SEED = "fuzz", FUZZ_RUNS = "1" } = process.env

/** Options of a property: the same inputs each time, unless someone explores. */
export const runs = (count: number) => ({ arbitrary: { runs: count * Number(FUZZ_RUNS), seed: FUZZ_SEED } })

/** Brackets within brackets, as JSON text. */
export const deepArray = (levels: number): string => "[".repeat(levels) + "]".repeat(levels)
export const deepObject = (levels: number): string => `${'{"":'.repeat(levels)}0${"}".repeat(levels)}`

const MEGABYTE = 1_048_576

/** Texts: halves of surrogate pairs, control and invisible characters, what looks like a time, a zone, or a path. */
export const strings: ReadonlyArray<string> = [
  "",
  " \t\r\n\u00a0",
  "\0",
  "a\0b",
  "\ud800",
  "x\udc00y",
  "\u2028\u2029",
  "\u202e\u200b\ufeff",
  "\u001b[2J",
  "🙂".repeat(5_000),
  "x".repeat(MEGABYTE),
  "__proto__",
  "constructor",
  "toString",
  "null",
  "NaN",
  "-0",
  "1e400",
  "${process.exit()}",
  "'; DROP TABLE events; --",
  "../../../etc/passwd",
  "2026-02-30T00:00:00Z",
  "9999-12-31T23:59:59.999Z",
  "+010000-01-01T00:00:00Z",
  "2026-12-01T09:00:00-00:00",
  "24:00:00",
  "* * * * *",
  "0 0 30 2 *",
  "0-59/1,".repeat(10_000),
  "UTC",
  "Asia/Shanghai",
  "America/New_York\0",
  "a/".repeat(10_000),
  "schedule-1",
  "schedule-9007199254740993",
  " schedule-1"
]

const numbers: ReadonlyArray<number> = [
  0,
  -0,
  -1,
  0.5,
  5e-324,
  299.999_999,
  2 ** 31,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
  1e21,
  Number.MAX_VALUE
]

/** Objects whose keys or fields mean something to those who are not careful. */
const objects: ReadonlyArray<unknown> = [
  '{"__proto__":{"prompt":"x","after_seconds":1}}',
  '{"constructor":{"prototype":{"prompt":"x"}}}',
  '{"toString":1,"valueOf":1}',
  '{"toJSON":"x"}',
  '{"length":4294967296}',
  '{"then":"x"}',
  '{"hasOwnProperty":null}',
  '{"":{"":{"":null}}}',
  "[[[]]]",
  deepArray(10_000),
  deepObject(10_000),
  JSON.stringify(Array.from({ length: 10_000 }, (_, n) => n)),
  JSON.stringify(Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`key-${n}`, n])))
].map((text) => JSON.parse(text) as unknown)

/** JSON values of every nasty kind. */
export const values: ReadonlyArray<unknown> = [null, true, false, ...numbers, ...strings, ...objects]

/** Texts that are no JSON, or JSON that says something twice. */
export const texts: ReadonlyArray<string> = [
  "",
  " ",
  "{",
  "}",
  "[1,]",
  "{'prompt':'x'}",
  '{"prompt":"x"} {"prompt":"x"}',
  '{"prompt":"x",//\n"after_seconds":1}',
  '{"prompt":"x","prompt":"y","after_seconds":1,"after_seconds":60}',
  '{"prompt":"x","after_seconds":1e400}',
  '{"prompt":"x","after_seconds":01}',
  '{"prompt":"x","after_seconds":NaN}',
  '{"prompt":"\ud800","after_seconds":1}',
  '{"prompt":"\\ud800","after_seconds":1}',
  '{"prompt":"\u0000","after_seconds":1}',
  '\ufeff{"prompt":"x","after_seconds":1}',
  "undefined",
  "Infinity",
  deepArray(10_000),
  deepObject(10_000),
  "[".repeat(60_000),
  '{"":'.repeat(15_000),
  `"${"x".repeat(MEGABYTE)}"`,
  `${"9".repeat(60_000)}`,
  `0.${"0".repeat(60_000)}1`
]

/** Bytes that are no UTF-8. */
export const bytes: ReadonlyArray<Uint8Array<ArrayBuffer>> = [
  [0xff],
  [0xc3, 0x28],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0x22, 0xff, 0x22],
  [0xfe, 0xff, 0x00, 0x7b, 0x00, 0x7d],
  [0x00],
  [...Buffer.from('{"prompt":"'), 0xff, ...Buffer.from('","after_seconds":3600}')]
].map((all) => new Uint8Array(all))

const Roll = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 })))

/** One of them, any with the same chance. */
export const anyOf = <A>(all: ReadonlyArray<A>): Arbitrary.Arbitrary<A> =>
  Arbitrary.map(Roll, (roll) => all[roll % all.length] as A)

const json: Arbitrary.Arbitrary<unknown> = Arbitrary.schema(Schema.Json)

type Path = ReadonlyArray<string>

const pathsOf = (value: unknown, path: Path = []): ReadonlyArray<Path> =>
  typeof value === "object" && value !== null && path.length < 5
    ? [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))]
    : [path]

const replaced = (value: unknown, [key, ...rest]: Path, by: unknown): unknown => {
  if (key === undefined) return by
  const inner = Object.entries(value as object).map(([name, one]) => [
    name,
    name === key ? replaced(one, rest, by) : one
  ])
  return Array.isArray(value) ? inner.map(([, one]) => one) : Object.fromEntries(inner)
}

const extended = (value: unknown, path: Path, key: string, by: unknown): unknown =>
  replaced(value, path, Object.fromEntries([["prompt", value] as const, [key, by] as const]))

/** Something that would be understood, with one part of it turned into something else. */
const broken = (sound: ReadonlyArray<unknown>): Arbitrary.Arbitrary<unknown> =>
  Arbitrary.map(
    Arbitrary.all([anyOf(sound), Roll, anyOf(values), anyOf(strings.filter(({ length }) => length < 100))]),
    ([value, roll, by, key]) => {
      const paths = pathsOf(value)
      const path = paths[roll % paths.length] ?? []
      return roll % 5 === 0 ? extended(value, path, key, by) : replaced(value, path, by)
    }
  )

/** Any JSON, what is nasty, and what is almost right. */
export const near = (sound: ReadonlyArray<unknown>): Arbitrary.Arbitrary<unknown> =>
  Arbitrary.map(Arbitrary.all([Roll, json, anyOf(values), broken(sound)]), ([roll, any, nasty, almost]) =>
    roll % 10 === 0 ? any : roll % 10 === 1 ? nasty : almost
  )

/** Arguments of `schedule_create`, one of each selector. */
export const requests: ReadonlyArray<unknown> = [
  { prompt: "x", after_seconds: 60 },
  { prompt: "x", at: "9000-12-01T09:00:00+08:00" },
  { prompt: "x", at: { date: "9000-12-01", time: "09:00:00", time_zone: "Asia/Shanghai" } },
  { prompt: "x", every_seconds: 900 },
  { prompt: "x", daily: { time: "09:00:00", time_zone: "Europe/Paris" } },
  { prompt: "x", weekly: { time: "09:00:00", time_zone: "Europe/Paris", weekdays: [1, 5] } },
  { prompt: "x", cron: { expression: "0 9 * * MON-FRI", time_zone: "America/New_York" } }
]

/** Whether it is a failure as callers are promised it: a stable code, and one readable line without our insides. */
export const isFailure = (value: any, where: string): void => {
  assert.match(String(value?.code), /^[a-z]+(?:_[a-z]+)*$/u, where)
  assert.isString(value.message, where)
  assert.isTrue(value.message !== "" && value.message.length < 1_000, where)
  assert.notMatch(value.message, /[\p{Cc}\p{Cs}]/u, where)
  assert.notMatch(JSON.stringify(value), /node_modules|file:\/\/|\.ts:\d|SqlError|TypeError|RangeError|sqlite/iu, where)
  assert.notStrictEqual(value.code, "internal_error", where)
}

/** A value in a message of a test: its beginning. */
export const brief = (value: unknown): string =>
  inspect(value, { depth: 3, maxStringLength: 100, maxArrayLength: 10, breakLength: Infinity }).slice(0, 300)
