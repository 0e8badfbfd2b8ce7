/**
 * Which release of a peer is installed.
 */
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const folders = ["../node_modules/", "../../node_modules/"]

export const of = (name: string): string => {
  const files = folders.map((folder) => fileURLToPath(new URL(`${folder}${name}/package.json`, import.meta.url)))
  const file = files.find(existsSync)
  return file === undefined ? "" : String(JSON.parse(readFileSync(file, "utf8")).version)
}
