/**
 * Logs as JSON Lines, as `export` writes them.
 */
import { Effect, FileSystem } from "effect"

const createdAt = "2026-12-01T00:00:00.000Z"

export const header = (id: string, rest: object = {}): string =>
  `${JSON.stringify({ header: { version: 1, id, createdAt, ...rest } })}\n`

export interface Event {
  readonly type: string
  readonly data: unknown
  readonly at?: string
  readonly seq?: number
}

export const events = (...all: ReadonlyArray<Event>): string =>
  all.map(({ type, data, ...rest }, seq) => `${JSON.stringify({ seq, at: createdAt, ...rest, type, data })}\n`).join("")

export const change = (data: object, at = createdAt): Event => ({
  at,
  type: "schedule/change",
  data: { version: 1, ...data }
})

export const create = (id: string, schedule: object, at?: string): Event =>
  change({ operation: "create", schedule: { id, prompt: "Tea", ...schedule } }, at)

export const every = (id: string, at?: string): Event =>
  create(id, { kind: "every", everySeconds: 300, scheduledAt: "2026-12-01T00:05:00.000Z" }, at)

export const note = (data: unknown): Event => ({ type: "note", data })

/** A folder of its own, with what is written there. */
export const folder = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const path = yield* files.makeTempDirectoryScoped({ prefix: "session-schedule-" })
  const at = (name: string) => `${path}/${name}`
  return {
    at,
    /** Writes a file; answers where. */
    write: (name: string, text: string | Uint8Array) =>
      Effect.as(files.writeFile(at(name), typeof text === "string" ? new TextEncoder().encode(text) : text), at(name)),
    read: (name: string) => files.readFileString(at(name)),
    names: Effect.map(files.readDirectory(path), (names) => names.toSorted()),
    exists: (name: string) => files.exists(at(name))
  }
})
