/**
 * The least that a fold can do: two mutable maps, and nothing is questioned. What validators are measured with.
 */

interface Reminder {
  readonly id: string
  readonly kind: string
  readonly everySeconds?: number
  readonly scheduledAt: string
  target: number
}

/** A change that was validated, or is believed. */
interface Change {
  readonly operation: "create" | "delete" | "dispatch"
  readonly id: string
  readonly schedule: Reminder
  readonly acceptedAt?: string
  readonly nextScheduledAt?: string | null
}

const dispatch = (active: Map<string, Reminder>, { id, acceptedAt, nextScheduledAt }: Change): void => {
  const reminder = active.get(id)
  if (reminder === undefined) throw new Error(`${id} is not active`)
  if (acceptedAt === undefined || nextScheduledAt === null) return void active.delete(id)
  const interval = (reminder.everySeconds ?? 0) * 1_000
  const accepted = Date.parse(acceptedAt)
  reminder.target =
    nextScheduledAt === undefined
      ? accepted - ((accepted - reminder.target) % interval) + interval
      : Date.parse(nextScheduledAt)
}

/** Folds JSON texts, each through a validator, and answers how many reminders are active. */
export const fold = (texts: ReadonlyArray<string>, validate: (change: unknown) => unknown): number => {
  const ids = new Set<string>()
  const active = new Map<string, Reminder>()
  for (const text of texts) {
    const change = validate(JSON.parse(text)) as Change
    if (change.operation === "create") {
      const { schedule } = change
      if (ids.has(schedule.id)) throw new Error(`${schedule.id} was used before`)
      ids.add(schedule.id)
      active.set(schedule.id, { ...schedule, target: Date.parse(schedule.scheduledAt) })
    } else if (change.operation === "delete") active.delete(change.id)
    else dispatch(active, change)
  }
  return active.size
}
