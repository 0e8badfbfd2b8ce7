/**
 * What can happen to the world.
 */
import type * as FaultyStore from "../../src/testing/FaultyStore.ts"
import type { Rule } from "./Rule.ts"

/** Where a Session's log can go wrong; `commit` is the disk below it. */
export type Part = FaultyStore.Step | "commit"
/** `stored`: the disk keeps what it reports as failed. */
export type Fault = FaultyStore.Fault | "stored"

export type Step =
  | { readonly kind: "create"; readonly session: string; readonly prompt: string; readonly rule: Rule }
  | { readonly kind: "misuse"; readonly session: string; readonly input: unknown; readonly code: string }
  | { readonly kind: "list"; readonly session: string }
  | { readonly kind: "delete"; readonly session: string; readonly id: string }
  /** Cancels the Session's latest call that is not answered. */
  | { readonly kind: "cancel"; readonly session: string }
  | { readonly kind: "say"; readonly session: string; readonly text: string }
  | { readonly kind: "end turn"; readonly session: string }
  /** Whether turns stay open until they are ended. */
  | { readonly kind: "hold turns"; readonly session: string; readonly held: boolean }
  /** Whether the Agent refuses messages. */
  | { readonly kind: "refuse"; readonly session: string; readonly refused: boolean }
  | {
      readonly kind: "break"
      readonly session: string
      readonly part: Part
      readonly fault: Fault
      /** It goes wrong once, or until it is mended. */
      readonly once: boolean
    }
  | { readonly kind: "mend"; readonly session: string; readonly part: Part }
  | { readonly kind: "hold"; readonly session: string; readonly part: Part }
  | { readonly kind: "release"; readonly session: string; readonly part: Part }
  | { readonly kind: "advance"; readonly millis: number }
  /** Lets time pass up to the next target that is known of. */
  | { readonly kind: "reach" }
  /** Steps the wall clock: an administrator sets it, or the machine slept. */
  | { readonly kind: "step clock"; readonly millis: number }
  | { readonly kind: "close"; readonly session: string }
  | { readonly kind: "open"; readonly session: string }
  | { readonly kind: "fork"; readonly session: string; readonly child: string }
  /** The process is killed; a new one opens the same Sessions, or none. */
  | { readonly kind: "crash"; readonly resume: boolean }
  /** The disk loses the last event of a Session. Never drawn: it is there to show that a loss is noticed. */
  | { readonly kind: "forget"; readonly session: string }
  /** A new process opens the same Sessions, while the old one goes on. */
  | { readonly kind: "take over" }

/** A step, and how many tasks of the machine run before the next one; all if null. */
export interface Planned {
  readonly step: Step
  readonly tasks: number | null
  /** What the dice are seeded with for this step, whatever went before. */
  readonly seed: number
}

/** `foreign`: a queue outside the log. `own`: the host's, in which the message and its dispatch are one commit. */
export type AgentKind = "foreign" | "own"

export interface History {
  readonly seed: number
  readonly agent: AgentKind
  readonly start: number
  readonly sessions: ReadonlyArray<string>
  readonly steps: ReadonlyArray<Planned>
}

/** One line for a reader. */
export const show = ({ step, tasks }: Planned): string => {
  const { kind, ...details } = step
  return `${kind} ${JSON.stringify(details)}${tasks === null ? "" : `, and ${tasks} tasks later`}`
}
