import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { damage } from "../host/Hosts.ts"
import { folder, serve } from "./Process.ts"

const post = (url: string, body: unknown, status = 201) =>
  Effect.promise(async (signal) => {
    const headers = { "content-type": "application/json" }
    const response = await fetch(url, { method: "POST", headers, signal, body: JSON.stringify(body) })
    assert.strictEqual(response.status, status, await response.text())
  })

const get = (url: string): Effect.Effect<any> => Effect.promise(async (signal) => (await fetch(url, { signal })).json())

/** What a Session is told until a turn ended. To follow it does not make it live. */
const untilTurnEnded = (url: string, session: string) =>
  Effect.promise(async (signal) => {
    const response = await fetch(`${url}/sessions/${session}/events`, { signal })
    let told = ""
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      told += part
      if (told.includes("turn/ended")) return told
    }
    throw new Error(`the stream ended early: ${told}`)
  })

describe("serve --resume", () => {
  it.live("delivers after a restart, though nobody opens anything", () =>
    Effect.gen(function* () {
      const db = `${yield* folder}/schedule.db`
      const first = yield* serve(db)
      const before = JSON.parse(yield* first.firstLine).url
      for (const id of ["due", "later", "quiet", "broken", "shut"]) yield* post(`${before}/sessions`, { id })
      yield* post(`${before}/sessions/later/reminders`, { prompt: "Later", after_seconds: 86_400 })
      yield* post(`${before}/sessions/broken/reminders`, { prompt: "Broken", after_seconds: 86_400 })
      yield* post(`${before}/sessions/shut/prompts`, { text: "Hello" }, 202)
      yield* post(`${before}/sessions/shut/reminders`, { prompt: "Shut", after_seconds: 3_600 })
      yield* post(`${before}/sessions/due/reminders`, { prompt: "Tea\nlevel=ERROR forged", after_seconds: 1 })
      yield* first.signal("SIGKILL")
      yield* first.ended
      yield* damage(db, "shut")
      yield* damage(db, "broken", '{"version":"9\\nlevel=ERROR forged"}')

      const second = yield* serve(db, "--resume")
      const { url } = JSON.parse(yield* second.firstLine)
      const told = yield* untilTurnEnded(url, "due")
      assert.include(told, "Tea")
      yield* Effect.repeat(get(`${url}/sessions`), {
        until: (all: ReadonlyArray<any>) => all.filter(({ state }) => state === "live").length === 3
      })
      const states = (yield* get(`${url}/sessions`)).map(({ id, state }: any) => `${id} ${state}`)
      assert.deepStrictEqual(states, ["due live", "later live", "quiet cold", "broken live", "shut cold"])
      yield* second.signal("SIGTERM")
      const { code, err } = yield* second.ended
      assert.strictEqual(code, 0)
      const lines = err.trim().split("\n")
      assert.isTrue(lines.every((line) => line.startsWith("timestamp=")))
      for (const said of ["Reminders stopped for this Session", "The Session shut could not be resumed"]) {
        assert.isTrue(lines.some((line) => line.includes(said)))
      }
      assert.isFalse(lines.some((line) => line.startsWith("level=ERROR")))
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("can be stopped while it opens them", () =>
    Effect.gen(function* () {
      const db = `${yield* folder}/schedule.db`
      const first = yield* serve(db)
      const before = JSON.parse(yield* first.firstLine).url
      const fill = (n: number) =>
        Effect.andThen(
          post(`${before}/sessions`, { id: `s${n}` }),
          post(`${before}/sessions/s${n}/reminders`, { prompt: "Later", after_seconds: 86_400 })
        )
      yield* Effect.all(
        Array.from({ length: 30 }, (_, n) => fill(n)),
        { concurrency: "unbounded" }
      )
      yield* first.signal("SIGTERM")
      yield* first.ended
      const second = yield* serve(db, "--resume")
      yield* second.firstLine
      yield* second.signal("SIGTERM")
      assert.deepInclude(yield* second.ended, { code: 0, err: "" })
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
