/**
 * A disk of a few megabytes that can be filled and emptied; and files that may not grow, where none can be mounted.
 */
import { spawnSync } from "node:child_process"
import { closeSync, openSync, rmSync, statSync, writeSync } from "node:fs"
import { join } from "node:path"
import { Effect, type Scope } from "effect"
import * as Server from "./Server.ts"

export interface SmallDisk {
  readonly folder: string
  /** Takes all the room that is left. */
  readonly fill: Effect.Effect<void>
  readonly empty: Effect.Effect<void>
}

const succeeds = (command: string, ...args: ReadonlyArray<string>): boolean => spawnSync(command, args).status === 0

const fill = (file: string): void => {
  const filler = openSync(file, "a")
  try {
    for (;;) writeSync(filler, Buffer.alloc(1_024))
  } catch {
    // That it is full now is what was wanted.
  } finally {
    closeSync(filler)
  }
}

/** A file system in memory; none where we may not mount one. */
export const mounted: Effect.Effect<SmallDisk | undefined, never, Scope.Scope> = Effect.gen(function* () {
  const folder = yield* Server.temporaryFolder
  const filler = join(folder, "filler")
  const isMounted = yield* Effect.acquireRelease(
    Effect.sync(() => succeeds("mount", "-t", "tmpfs", "-o", "size=16m", "torture", folder)),
    (isMounted) => Effect.sync(() => void (isMounted && succeeds("umount", "--lazy", folder)))
  )
  return isMounted
    ? { folder, fill: Effect.sync(() => fill(filler)), empty: Effect.sync(() => rmSync(filler, { force: true })) }
    : undefined
})

/** Runs a program whose files may grow to the size given, in KiB, and no further. */
export const limited = (kibibytes: number): ReadonlyArray<string> => [
  "bash",
  "-c",
  `ulimit -Sf ${kibibytes}; exec "$@"`,
  "bash"
]

/** Lets the files of a running program grow again; whether that was possible. */
export const unlimit = (pid: number): boolean => succeeds("prlimit", "--pid", String(pid), "--fsize=unlimited")

/** How much of the disk a database and its log take, in KiB. */
export const kibibytes = (file: string): number =>
  Math.max(...[file, `${file}-wal`].map((name) => statSync(name, { throwIfNoEntry: false })?.size ?? 0)) >> 10
