/**
 * Why a store can't be used, in the words of the person at the terminal.
 */
import { Cause, Schema } from "effect"

/** The file can't be used as the store. The message is one line: what is wrong with which file, and what to do. */
export class StoreError extends Schema.TaggedError<StoreError>()("StoreError", {
  file: Schema.String,
  problem: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {
  override get message() {
    return `The database ${this.file} cannot be used: ${this.problem}`
  }
}

export const DAMAGED = "it is damaged. Restore it from a backup, or name another file."

/** By SQLite's primary result code. */
const problems: Readonly<Record<number, string>> = {
  5: "another program keeps it locked. Stop that program, then try again.",
  8: "it cannot be written. Check the permissions of the file and of its folder.",
  10: "the disk failed to read or to write it. Check the disk.",
  11: DAMAGED,
  13: "the disk is full. Make room, then try again.",
  14: "it cannot be opened. Check the permissions of the file and of its folder.",
  26: "it is not a SQLite database. Name another file."
}

/** A driver's error has the code, or wraps the one that has it. */
const codeOf = (error: unknown): number | undefined => {
  const { errcode, reason, cause } = Object(error) as Record<string, unknown>
  if (typeof errcode === "number") return errcode & 0xff
  const inner = reason ?? cause
  return inner === undefined ? undefined : codeOf(inner)
}

/** What a failure to open or to prepare the file comes to. */
export const fromCause = (file: string, cause: Cause.Cause<unknown>): StoreError => {
  const error = Cause.squash(cause)
  if (error instanceof StoreError) return error
  const said = error instanceof Error ? error.message : String(error)
  const problem = problems[codeOf(error) ?? 0] ?? `${said.split("\n", 1)[0]}.`
  return new StoreError({ file, problem, cause: error })
}
