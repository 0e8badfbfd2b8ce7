/**
 * What the callers of the server were told, and nothing else. Every reminder and every prompt has a text of its own, by
 * which it is found again wherever it turns up.
 */

/** `unknown`: no answer came, or one that says that it is not known. */
export type Told = "acknowledged" | "refused" | "unknown"

/** A reminder that someone asked for. */
export interface Claim {
  readonly session: string
  readonly prompt: string
  created: Told
  /** What the acknowledgement said. */
  id: string | undefined
  scheduledAt: number | undefined
  /** Undefined until someone asks for its deletion. */
  deleted: Told | undefined
}

/** Something said to an Agent; it may ask for a reminder, and is no claim to one. */
export interface Saying {
  readonly session: string
  readonly text: string
  queued: Told
}

/** A part of a transcript, as it was shown once. */
interface Shown {
  readonly session: string
  readonly events: ReadonlyArray<Event>
}

/** An event of a transcript, as JSON. */
export interface Event {
  readonly seq: number
  readonly at: string
  readonly type: string
  readonly data: any
}

/** A reminder in a list, as JSON. */
export interface View {
  readonly id: string
  readonly prompt: string
  readonly kind: string
  readonly scheduledAt: string
  readonly state: string
}

export interface Ledger {
  readonly sessions: ReadonlyArray<string>
  readonly claims: Array<Claim>
  readonly sayings: Array<Saying>
  /** The last part that was shown of each transcript. */
  readonly shown: Map<string, Shown>
  /** What was wrong already while the server ran. */
  readonly faults: Array<string>
  /** How many calls were answered, and how many were not. */
  readonly calls: { answered: number; unanswered: number }
  /** A text that nobody said before. */
  readonly newText: () => string
}

export const make = (sessions: number): Ledger => {
  let texts = 0
  return {
    sessions: Array.from({ length: sessions }, (_, n) => `torture-${n}`),
    claims: [],
    sayings: [],
    shown: new Map(),
    faults: [],
    calls: { answered: 0, unanswered: 0 },
    newText: () => `errand-${++texts}`
  }
}
