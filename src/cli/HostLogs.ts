/**
 * The logs of a running host. Loaded only by the commands that ask one.
 */
import { Effect, Stream } from "effect"
import type { SessionEvent, SessionHeader, SessionId } from "../domain/Session.ts"
import { MAX_EVENTS } from "../host/HostApi.ts"
import type { SessionSummary } from "../host/Sessions.ts"
import { EVENT_TYPE } from "../domain/ScheduleChange.ts"
import * as HostClient from "./HostClient.ts"
import * as Logs from "./Logs.ts"
import type { Refusal } from "./Output.ts"

const headerOf = ({ version, id, createdAt, parentId, seedLength }: SessionSummary): SessionHeader => ({
  version,
  id,
  createdAt,
  ...(parentId === undefined ? {} : { parentId }),
  ...(seedLength === undefined ? {} : { seedLength })
})

/** A host tells all events, and those of reminders are kept. */
const changes = Effect.fnUntraced(function* (logs: Pick<Logs.Logs, "header" | "page">, id: SessionId) {
  const header = yield* logs.header(id)
  const changes: Array<SessionEvent> = []
  let length = 0
  yield* Stream.runForEach(Logs.pages(logs, id), (events) =>
    Effect.sync(() => {
      length += events.length
      changes.push(...events.filter(({ type }) => type === EVENT_TYPE))
    })
  )
  return { header, length, changes }
})

export const open = (options: HostClient.Options): Effect.Effect<Logs.Logs, Refusal> =>
  Effect.map(HostClient.connect(options), (ask) => {
    const logs = {
      list: Effect.map(
        ask((client) => client.sessions.list()),
        (summaries) => summaries.map(headerOf)
      ),
      header: (id: SessionId) =>
        Effect.map(
          ask((client) => client.sessions.get({ params: { id } })),
          headerOf
        ),
      page: (id: SessionId, from: number) =>
        ask((client) => client.sessions.transcript({ params: { id }, query: { from, limit: MAX_EVENTS } }))
    }
    return { ...logs, changes: (id) => changes(logs, id) }
  })
