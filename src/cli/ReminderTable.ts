/**
 * Reminders in rows, for people.
 */
import * as Instant from "../domain/Instant.ts"
import type { ScheduleView } from "../domain/ScheduleView.ts"
import * as Style from "./Style.ts"
import * as Table from "./Table.ts"

const row = ({ id, kind, scheduledAt, state, prompt }: ScheduleView): ReadonlyArray<string> => [
  Table.printable(id),
  kind,
  Instant.format(scheduledAt),
  state === "overdue" ? Style.yellow(state) : state,
  Table.shorten(prompt, 60)
]

export const render = (views: ReadonlyArray<ScheduleView>): string =>
  views.length === 0 ? "No active reminders." : Table.render(["ID", "KIND", "NEXT", "STATE", "PROMPT"], views.map(row))
