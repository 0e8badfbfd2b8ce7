/**
 * What outlives every process: the stored events of one Session, on a disk that can break. Only its newest owner can add
 * to them.
 */
import { Effect } from "effect"
import type * as EventRow from "../../src/layers/EventRow.ts"
import { CommitError, StaleOwner } from "../../src/layers/GroupCommit.ts"
import type * as SessionLog from "../../src/layers/SessionLog.ts"
import type { Process } from "./Machine.ts"
import type { Medium } from "./Medium.ts"

/** A new owner's part of the disk, and how much is there already. */
interface Opened {
  readonly storage: SessionLog.Storage
  readonly length: number
}

export interface Disk {
  readonly medium: Medium
  /** All that is stored. */
  rows(): ReadonlyArray<EventRow.EventRow>
  /** From now on commits fail, so many times, and what they had to store is stored nevertheless, or not. */
  break(fault: "fails" | "stored", times: number): void
  mend(): void
  /** Commits wait, until they are released. */
  hold(): void
  release(): void
  /** To a new owner, in a process. */
  open(process: Process): Opened
}

export const make = (medium: Medium): Disk => {
  let [held, failing] = [false, 0]
  let fault: "fails" | "stored" = "fails"
  let waiting: Array<() => void> = []

  const store = (owner: number, added: ReadonlyArray<EventRow.EventRow>) => {
    if (failing > 0 && medium.isOwner(owner)) {
      failing--
      if (fault === "stored") medium.store(owner, added)
      return new CommitError({ cause: "broken by the simulation" })
    }
    return medium.store(owner, added) ? null : new StaleOwner({ epoch: owner })
  }

  const storage = (process: Process, owner: number): SessionLog.Storage => ({
    // Whose the Session is can be read, also where nothing can be written.
    confirm: Effect.suspend(() =>
      medium.isOwner(owner) ? Effect.void : Effect.fail(new StaleOwner({ epoch: owner }))
    ),
    submit: (added, settle) => {
      const commit = () => process.later(() => (held ? void waiting.push(commit) : settle(store(owner, added))))
      commit()
    },
    changes: (from, to) => Effect.sync(() => medium.changes(from, to)),
    page: (from, limit) => Effect.sync(() => medium.page(from, limit))
  })

  return {
    medium,
    rows: () => medium.page(0, Number.MAX_SAFE_INTEGER),
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
      const { owner, length } = medium.own()
      return { storage: storage(process, owner), length }
    }
  }
}
