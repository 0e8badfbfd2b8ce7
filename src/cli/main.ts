#!/usr/bin/env node
/**
 * The command `session-schedule`. Node keeps what it compiled, so that the next start takes half the time: that is why
 * the rest is loaded only once the cache is on. What is loaded at once must be known to a Node that is too old, so that
 * it can say so.
 */
import module from "node:module"

const OLDEST = "22.19"

const isTooOld = (version: string): boolean => version.localeCompare(OLDEST, "en", { numeric: true }) < 0

if (isTooOld(process.versions.node)) {
  console.error(
    `session-schedule: This is Node.js ${process.versions.node}, and it needs ${OLDEST} or later. ` +
      `"npm install node@24" in a project brings one, which "npx" then runs it with.`
  )
  process.exitCode = 1
} else {
  module.enableCompileCache()
  const { start } = await import("./Program.ts")
  start()
}
