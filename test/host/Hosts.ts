/** Hosts over a real SQLite file, with a model that does as the test says. */
import { Context, Effect, Exit, Layer, Scope } from "effect"
import type { LanguageModel } from "effect/ai"
import { mkdtempSync, rmSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as LocalModel from "../../src/host/LocalModel.ts"
import { Sessions } from "../../src/host/Sessions.ts"
import * as SqliteHost from "../../src/host/SqliteHost.ts"

/** A file that is gone after the test. */
export const temporaryFile = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "session-schedule-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  ),
  (folder) => join(folder, "test.db")
)

export interface Host {
  readonly sessions: Sessions["Service"]
  readonly close: Effect.Effect<void>
}

/** A host of its own over the file, as one process has. */
export const open = Effect.fnUntraced(function* (
  file: string,
  model: Layer.Layer<LanguageModel.LanguageModel> = LocalModel.layer
) {
  const scope = yield* Scope.make()
  const context = yield* Layer.buildWithScope(SqliteHost.layer({ file, model }), scope)
  const host: Host = { sessions: Context.get(context, Sessions), close: Scope.close(scope, Exit.void) }
  yield* Effect.addFinalizer(() => host.close)
  return host
})

/** Makes the first event of a Session's log one that no log can hold. */
export const damage = (file: string, id: string, data = '{"version":9}'): Effect.Effect<void> =>
  Effect.sync(() => {
    const db = new DatabaseSync(file)
    db.prepare("UPDATE events SET data = ? WHERE seq = 0 AND session = (SELECT key FROM sessions WHERE id = ?)").run(
      data,
      id
    )
    db.close()
  })
