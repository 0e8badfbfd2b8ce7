/**
 * Where the time of this process goes, for those who want to make it less.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { Session } from "node:inspector/promises"
import { join } from "node:path"

/** Does the work, and writes a profile of it that Chromium and other tools can show. */
export const write = async <A>(folder: string, name: string, work: () => Promise<A>): Promise<A> => {
  const session = new Session()
  session.connect()
  await session.post("Profiler.enable")
  await session.post("Profiler.start")
  const done = await work()
  const { profile } = await session.post("Profiler.stop")
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.cpuprofile`), JSON.stringify(profile))
  return done
}
