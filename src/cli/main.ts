#!/usr/bin/env node
/**
 * The command `session-schedule`. Node keeps what it compiled, so that the next start takes half the time: that is why
 * the rest is loaded only once the cache is on.
 */
import { enableCompileCache } from "node:module"

enableCompileCache()
const { start } = await import("./Program.ts")
start()
