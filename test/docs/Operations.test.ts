import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Fiber } from "effect"
import { execFile } from "node:child_process"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { promisify } from "node:util"
import * as Process from "../cli/Process.ts"
import * as Page from "./Page.ts"

const [backUp = "", restore = ""] = Page.blocks(Page.read("docs/operations.md"), "sh")

/** A folder with the command on its path, and how to type there what the page shows; `/backups` is in it. */
const place = Effect.gen(function* () {
  const folder = yield* Process.folder
  for (const name of ["bin", "data", "backups"]) mkdirSync(join(folder, name))
  const command = join(folder, "bin/session-schedule")
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${Process.main}" "$@"\n`)
  chmodSync(command, 0o755)
  const PATH = [dirname(command), dirname(process.execPath), process.env["PATH"]].join(delimiter)
  const type = (block: string) =>
    Effect.tryPromise((signal) => {
      const lines = block.replaceAll("/backups/", `${folder}/backups/`)
      return promisify(execFile)("sh", ["-e", "-c", lines], { cwd: folder, env: { ...process.env, PATH }, signal })
    })
  return { db: join(folder, "data/schedule.db"), type }
})

const call = (url: string, body?: unknown) =>
  Effect.promise(async (signal): Promise<any> => {
    const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }
    const response = await fetch(url, body === undefined ? { signal } : { ...post, signal })
    assert.isTrue(response.ok)
    return response.json()
  })

const create = (url: string) => call(`${url}/sessions/tea/reminders`, { prompt: "Tea", after_seconds: 3_600 })

const ids = (url: string) =>
  Effect.map(call(`${url}/sessions/tea/reminders`), (all) => all.map(({ id }: any): string => id))

describe("The page about operations", () => {
  it.live("shows how to back up a host that is written to, and how to restore it", () =>
    Effect.gen(function* () {
      const { db, type } = yield* place
      const first = yield* Process.serve(db)
      const { url } = JSON.parse(yield* first.firstLine)
      yield* call(`${url}/sessions`, { id: "tea" })
      for (let n = 0; n < 5; n++) yield* create(url)
      const before = yield* ids(url)
      const writing = yield* Effect.forkChild(Effect.forever(create(url)))
      const { stdout } = yield* type(backUp)
      assert.match(stdout, /schedule\.db: 1 Session, \d+ events: fine\n$/u)
      yield* Fiber.interrupt(writing)
      yield* create(url)
      const after = yield* ids(url)
      const again = yield* Effect.flip(type(backUp))
      assert.match(String(again.cause), /already exists/u)
      yield* first.signal("SIGTERM")
      yield* first.ended

      yield* type(restore)
      const second = yield* Process.serve(db, "--resume")
      const restored = yield* ids(JSON.parse(yield* second.firstLine).url)
      assert.deepStrictEqual(restored.slice(0, 5), before)
      assert.deepStrictEqual(restored, after.slice(0, restored.length))
      assert.isBelow(restored.length, after.length)
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
