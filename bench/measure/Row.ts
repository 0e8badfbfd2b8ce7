/**
 * What a benchmark finds: for each row the same work done by several, and what was hoped for.
 */

/** `floor`: what no implementation could beat; `fact`: told for what it is, and compared with nothing. */
export type Role = "ours" | "floor" | "peer" | "fact"

/** What one of them took or managed, once for each round, in the unit of its row. */
export interface Entry {
  readonly who: string
  readonly role: Role
  readonly samples: ReadonlyArray<number>
  /** Where it differs from that of the row. */
  readonly unit?: string
}

/** A ratio, or a figure, and its limit. */
export interface Goal {
  readonly what: string
  readonly value: number
  readonly unit: string
  readonly sense: "at most" | "at least"
  readonly limit: number
}

export interface Row {
  readonly what: string
  readonly unit: string
  readonly entries: ReadonlyArray<Entry>
  readonly goals: ReadonlyArray<Goal>
}

/** All rows that are measured in one go. */
export interface Section {
  readonly rows: ReadonlyArray<Row>
  /** What this run saw that no figure tells, such as a peer that could not be started. */
  readonly notes: ReadonlyArray<string>
}

/** How much is done: `quick` only shows that everything runs. */
export type Size = "full" | "quick"

export const isMet = ({ value, sense, limit }: Goal): boolean => (sense === "at most" ? value <= limit : value >= limit)

export const atMost = (what: string, value: number, limit: number, unit = "×"): Goal => ({
  what,
  value,
  unit,
  sense: "at most",
  limit
})

export const atLeast = (what: string, value: number, limit: number, unit = "×"): Goal => ({
  what,
  value,
  unit,
  sense: "at least",
  limit
})
