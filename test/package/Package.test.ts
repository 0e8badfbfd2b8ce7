import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { checks } from "./checks.ts"
import * as Project from "./Project.ts"

layer(Project.layer, { excludeTestServices: true, timeout: "3 minutes" })("The packed package", (it) => {
  it.effect("type-checks in the strictest project, declarations of libraries included", () =>
    Effect.flatMap(Project.Project, (folder) =>
      Project.execute(join(Project.root, "node_modules/.bin/tsc"), ["--project", folder])
    )
  )

  for (const { name, run } of checks) {
    it.effect(name, () =>
      Effect.flatMap(Project.Project, (folder) => Effect.scoped(run({ folder, node: process.execPath })))
    )
  }
})
