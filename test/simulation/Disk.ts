/**
 * What outlives every process: the stored events of one Session. Only its newest owner can add to them.
 */
import { Effect } from "effect"
import * as EventRow from "../../src/layers/EventRow.ts"
import { CommitError, StaleOwner } from "../../src/layers/GroupCommit.ts"
import type * as SessionLog from "../../src/layers/SessionLog.ts"
import type { Process } from "./Machine.ts"

export interface Disk {
  readonly rows: Array<EventRow.EventRow>
  /** From now on commits fail, so many times, and what they had to store is stored nevertheless, or not. */
  break(fault: "fails" | "stored", times: number): void
  mend(): void
  /** Commits wait, until they are released. */
  hold(): void
  release(): void
  /** The storage of a new owner, in a process. */
  open(process: Process): SessionLog.Storage
}

export const make = (rows: Array<EventRow.EventRow>): Disk => {
  let [owners, held, failing] = [0, false, 0]
  let fault: "fails" | "stored" = "fails"
  let waiting: Array<() => void> = []

  const store = (owner: number, added: ReadonlyArray<EventRow.EventRow>) => {
    if (owner !== owners) return new StaleOwner({ epoch: owner })
    const failed = failing > 0 && failing-- > 0
    if (!failed || fault === "stored") for (const row of added) if (row.seq >= rows.length) rows.push(row)
    return failed ? new CommitError({ cause: "broken by the simulation" }) : null
  }

  return {
    rows,
    break: (broken, times) => {
      fault = broken
      failing = times
    },
    mend: () => void (failing = 0),
    hold: () => void (held = true),
    release: () => {
      held = false
      for (const commit of waiting.splice(0)) commit()
    },
    open: (process) => {
      const owner = ++owners
      return {
        submit: (added, settle) => {
          const commit = () => process.later(() => (held ? void waiting.push(commit) : settle(store(owner, added))))
          commit()
        },
        changes: (from, to) => Effect.sync(() => rows.slice(from, to).filter(EventRow.isChange)),
        page: (from, limit) => Effect.sync(() => rows.slice(from, from + limit))
      }
    }
  }
}
