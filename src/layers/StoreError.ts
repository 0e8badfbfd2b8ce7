/**
 * Why a store can't be used, in the words of the person at the terminal.
 */
import { Cause, Schema } from "effect"

/** The database can't be used as the store. The message is one line: what is wrong with which one, and what to do. */
export class StoreError extends Schema.TaggedError<StoreError>()("StoreError", {
  /** The file, or the address of the server's database without its password. */
  file: Schema.String,
  problem: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {
  override get message() {
    return `The database ${this.file} cannot be used: ${this.problem}`
  }
}

export const DAMAGED = "it is damaged. Restore it from a backup, or name another file."

export const LOCKED = "another program keeps it locked. Stop that program, then try again."

const UNREACHABLE = "its server cannot be reached. Start it, or name another."

/** By SQLite's primary result code, PostgreSQL's SQLSTATE, the system's code, or what the driver makes of it. */
const problems: Readonly<Record<string, string>> = {
  5: LOCKED,
  8: "it cannot be written. Check the permissions of the file and of its folder.",
  10: "the disk failed to read or to write it. Check the disk.",
  11: DAMAGED,
  13: "the disk is full. Make room, then try again.",
  14: "it cannot be opened. Check the permissions of the file and of its folder.",
  26: "it is not a SQLite database. Name another file.",
  "25006": "it can only be read. Name the primary server.",
  "28000": "its server does not let this user in. Check the user and the server's pg_hba.conf.",
  "28P01": "the password is wrong, or there is no such user. Check both.",
  "3D000": "there is no such database. Make it with createdb, or name another.",
  "42501": "its user may not make or change the schema. Grant CREATE on the database, or ownership of the schema.",
  "53100": "its server's disk is full. Make room, then try again.",
  "53300": "its server has no connection left. Close some, or raise max_connections.",
  "55P03": "another process keeps it locked. Stop that process, then try again.",
  "57P03": "its server is starting or stopping. Try again.",
  EAI_AGAIN: "the name of its server cannot be looked up. Check the name and the network.",
  ENOTFOUND: "there is no server of that name. Check the name.",
  AuthenticationError: "its server wants a password. Give one in the URL.",
  ConnectionError: UNREACHABLE
}

const fieldsOf = (error: unknown): Record<string, unknown> => Object(error) as Record<string, unknown>

/** A driver's error has the code, or wraps the one that has it, or is at least of a kind. */
const problemOf = (error: unknown): string | undefined => {
  const { errcode, code, reason, cause, _tag } = fieldsOf(error)
  const known = problems[typeof errcode === "number" ? errcode & 0xff : String(code)]
  const inner = reason ?? cause
  return known ?? (inner === undefined ? undefined : problemOf(inner)) ?? problems[String(_tag)]
}

const said = (error: unknown): string => {
  const { reason } = fieldsOf(error)
  const { cause } = fieldsOf(reason)
  const source = [cause, error].find((candidate) => candidate instanceof Error)
  return (source?.message ?? String(error)).split("\n", 1)[0] ?? ""
}

/** What a failure to open or to prepare the database comes to. */
export const fromCause = (file: string, cause: Cause.Cause<unknown>): StoreError => {
  const error = Cause.squash(cause)
  if (error instanceof StoreError) return error
  return new StoreError({ file, problem: problemOf(error) ?? `${said(error)}.`, cause: error })
}
