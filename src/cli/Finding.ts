/**
 * What `verify` finds in a file.
 */
import type { Fault, Judge } from "./Judge.ts"

/** `session` is null where it is the file that is wrong, `seq` where it is no event. */
export interface Finding extends Fault {
  readonly file: string
  readonly session: string | null
}

/** A file that was looked at. */
export interface Verified {
  readonly file: string
  readonly kind: "log" | "store"
  readonly sessions: number
  readonly events: number
  readonly problems: ReadonlyArray<Finding>
  readonly notes: ReadonlyArray<Finding>
}

/** What is wrong with the file as a whole. */
export const ofFile = (file: string, message: string): Finding => ({ file, session: null, seq: null, message })

/** What a judge found in the log of a Session. */
export const ofLog = (file: string, session: string | null, judge: Judge): Pick<Verified, "problems" | "notes"> => ({
  problems: judge.faults().map((fault) => ({ file, session, ...fault })),
  notes: judge.notes().map((message) => ({ file, session, seq: null, message }))
})
