/**
 * The packed package on every Node that it supports: `node test/package/main.ts [version…]`. Exits with 1 if it fails
 * on any.
 */
import { Cause, Effect, Exit } from "effect"
import { checks, type Place } from "./checks.ts"
import * as Project from "./Project.ts"

const [, , ...named] = process.argv
/** The oldest one, the one of the checkout, and the newest. */
const versions = named.length > 0 ? named : ["22.19.0", "24", "26"]

/** Node as a package of npm's. */
const nodeOf = (version: string) =>
  Project.execute("npx", ["-y", "-p", `node@${version}`, "-c", "node -p process.execPath"])

const tried = Effect.fnUntraced(function* (place: Place) {
  let failures = 0
  for (const { name, run } of checks) {
    const exit = yield* Effect.exit(Effect.scoped(run(place)))
    console.log(`  ${Exit.isSuccess(exit) ? "✓" : "✗"} ${name}`)
    if (Exit.isSuccess(exit)) continue
    failures += 1
    console.log(Cause.pretty(exit.cause))
  }
  return failures
})

const main = Effect.gen(function* () {
  const folder = yield* Project.Project
  let failures = 0
  for (const version of versions) {
    const node = yield* nodeOf(version)
    console.log(`Node.js ${yield* Project.execute(node, ["--version"])}`)
    failures += yield* tried({ folder, node })
  }
  console.log(`${versions.length * checks.length - failures} passed, ${failures} failed`)
  process.exitCode = failures === 0 ? 0 : 1
})

const controller = new AbortController()
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => controller.abort())
await Effect.runPromise(Effect.provide(main, Project.layer), { signal: controller.signal })
