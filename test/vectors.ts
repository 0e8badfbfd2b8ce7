/** Reads a file of test vectors: cases from an oracle that shares no code with this project. */
import { readFileSync } from "node:fs"

export const vectors = <Case>(file: string): ReadonlyArray<Case> =>
  JSON.parse(readFileSync(new URL(`./vectors/${file}.json`, import.meta.url), "utf8")) as ReadonlyArray<Case>
