/**
 * How long after a fault the last reminder came that was late because of it, as the logs tell.
 */
import type { Seen } from "../torture/Account.ts"

/** Reminders that came later than this, in milliseconds, had to wait. */
const LATE = 1_000

/** How long after a fault reminders count that fell due since, in milliseconds. */
const WINDOW = 6_000

interface Delivered {
  readonly due: number
  readonly at: number
}

const delivered = ({ events }: Seen): ReadonlyArray<Delivered> => {
  const due = new Map(
    events
      .filter(({ type, data }) => type === "schedule/change" && data.operation === "create")
      .map(({ data }) => [data.schedule.id, Date.parse(data.schedule.scheduledAt)])
  )
  return events
    .filter(({ type, data }) => type === "inbox/queued" && data.message.kind === "follow-up")
    .flatMap(({ at, data }) =>
      data.message.source.ids.map((id: string) => ({ due: due.get(id) ?? 0, at: Date.parse(at) }))
    )
}

/** Milliseconds from the fault to the last of these; 0 if none was late. Reminders of a skewed clock don't count. */
export const after = (all: ReadonlyArray<Seen>, fault: number): number =>
  all
    .flatMap(delivered)
    .filter(({ due, at }) => due > fault - LATE && due < fault + WINDOW && at - due > LATE && at - due < 50_000)
    .reduce((longest, { at }) => Math.max(longest, at - fault), 0)
