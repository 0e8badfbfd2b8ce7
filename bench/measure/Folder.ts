/**
 * Folders that are gone when the process ends.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A new folder on the disk that all contenders share. Others may enter it: a database runs as another user. */
export const temporary = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "session-schedule-bench-"))
  chmodSync(folder, 0o755)
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
