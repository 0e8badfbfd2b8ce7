/**
 * A project of somebody else's into which the package was installed: packed as it would be published, with what it
 * depends on from the registry.
 */
import { Context, Effect, Layer, Schema } from "effect"
import { execFile, type ExecFileOptions } from "node:child_process"
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import manifest from "../../package.json" with { type: "json" }

export const NAME = manifest.name
export const VERSION = manifest.version

/** The checkout that is packed. */
export const root = fileURLToPath(new URL("../../", import.meta.url))

/** A program ended with another code than 0; `message` is all that it said. */
export class Failed extends Schema.TaggedError<Failed>()("Failed", { message: Schema.String }) {}

/** What a program prints. */
export const execute = (file: string, args: ReadonlyArray<string>, options: ExecFileOptions = {}) =>
  Effect.tryPromise({
    try: async (signal) => String((await promisify(execFile)(file, args, { ...options, signal })).stdout).trim(),
    catch: (error) => new Failed({ message: `${String(error)}\n${Object(error).stdout}` })
  })

const temporary = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "session-schedule-package-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

const INSTALL = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--no-save"]

const make = Effect.gen(function* () {
  const folder = yield* temporary
  yield* execute("npm", ["pack", "--pack-destination", folder], { cwd: root })
  yield* Effect.promise(() => cp(join(root, "test/package/consumer"), folder, { recursive: true }))
  yield* Effect.promise(() => writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }'))
  const effect = `effect@${manifest.devDependencies.effect}`
  yield* execute("npm", [...INSTALL, `./${NAME}-${VERSION}.tgz`, effect], { cwd: folder })
  return folder
})

/** The folder of the project. */
export class Project extends Context.Service<Project, string>()("test/Project") {}

export const layer: Layer.Layer<Project, Failed> = Layer.effect(Project, make)
