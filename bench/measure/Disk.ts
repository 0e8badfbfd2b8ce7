/**
 * What the disk can do, below every database.
 */
import { closeSync, fdatasyncSync, fsyncSync, openSync, writeSync } from "node:fs"
import { join } from "node:path"

/** SQLite's page, and how many of them its log has before it begins anew. */
const PAGE = 4_096
const PAGES = 1_000

/**
 * How often a second the disk confirms one page, written over a file that is there already, as a write-ahead log is
 * written.
 */
export const syncsPerSecond = (folder: string, millis: number): number => {
  const file = openSync(join(folder, "fdatasync"), "w+")
  const page = Buffer.alloc(PAGE, 1)
  for (let n = 0; n < PAGES; n++) writeSync(file, page, 0, PAGE, n * PAGE)
  fsyncSync(file)
  const begun = performance.now()
  let syncs = 0
  while (performance.now() - begun < millis) {
    writeSync(file, page, 0, PAGE, (syncs++ % PAGES) * PAGE)
    fdatasyncSync(file)
  }
  const rate = (syncs * 1_000) / (performance.now() - begun)
  closeSync(file)
  return rate
}
