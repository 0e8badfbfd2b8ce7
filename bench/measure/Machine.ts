/**
 * What the figures were measured on.
 */
import { execFileSync } from "node:child_process"
import { cpus, loadavg, release, totalmem, type } from "node:os"
import * as Disk from "./Disk.ts"
import * as Folder from "./Folder.ts"

export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGiB: number
  readonly system: string
  readonly node: string
  readonly sqlite: string
  /** The commit that was measured, and whether files had changed since. */
  readonly commit: string
  /** How many processes wanted to run, over the last minute before it began. */
  readonly load: number
  readonly syncsPerSecond: number
}

const git = (...args: ReadonlyArray<string>): string => {
  try {
    return execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim()
  } catch {
    return ""
  }
}

export const facts = (): Machine => ({
  cpu: cpus()[0]?.model ?? "unknown",
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  system: `${type()} ${release()}`,
  node: process.version,
  sqlite: process.versions["sqlite"] ?? "unknown",
  commit: `${git("rev-parse", "--short", "HEAD")}${git("status", "--porcelain", "--", "src") === "" ? "" : " and changes"}`,
  load: loadavg()[0] ?? 0,
  syncsPerSecond: Disk.syncsPerSecond(Folder.temporary(), 500)
})
