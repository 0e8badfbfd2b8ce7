/** What tests of the PostgreSQL store share: the server of the run, and a schema of their own in it. */
import { Effect, Redacted } from "effect"
import { inject } from "vitest"
import type { Place } from "./Place.ts"

/** The URL of the superuser at the server of this run. */
const url: Effect.Effect<string> = Effect.promise(async () => {
  const response = await fetch(inject("postgres"))
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
})

let schemas = 0

/** A store that nobody else has, not made yet. */
export const newStore: Effect.Effect<Place> = Effect.map(url, (url) => ({
  url: Redacted.make(url),
  schema: `store_${process.pid}_${++schemas}`
}))
