/**
 * The tools of each Session over MCP, at a path of its own.
 */
import { Effect, Layer } from "effect"
import { McpServer } from "effect/ai"
import { HttpRouter, HttpServerRequest } from "effect/http"
import * as ScheduleMcpServer from "../layers/ScheduleMcpServer.ts"
import { CalledReminders } from "../services/ScheduleMcpTools.ts"
import { answeredBy } from "./HostFailure.ts"
import { Sessions } from "./Sessions.ts"

/** The reminders of a Session. A call makes it live; to connect and to list the tools does not. */
const remindersOf = (sessions: Sessions["Service"], id: unknown): CalledReminders["Service"] => ({
  create: (input) => answeredBy(sessions, id, (reminders) => reminders.create(input)),
  list: answeredBy(sessions, id, (reminders) => reminders.list),
  delete: (scheduleId) => answeredBy(sessions, id, (reminders) => reminders.delete(scheduleId))
})

/** One server serves all paths: which Session is meant comes with the request. */
const bySession = HttpRouter.middleware<{ provides: CalledReminders }>()(
  Effect.map(
    Sessions,
    (sessions) => (answer) =>
      Effect.gen(function* () {
        // The server takes a body that is too large for one that is no JSON, so it is read before.
        yield* Effect.orDie(Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ text }) => text))
        const { id } = yield* HttpRouter.params
        return yield* Effect.provideService(answer, CalledReminders, remindersOf(sessions, id))
      })
  )
)

export const layer: Layer.Layer<never, never, Sessions | HttpRouter.HttpRouter> = McpServer.layerHttp({
  ...ScheduleMcpServer.options,
  path: "/sessions/:id/mcp",
  allowSessionTermination: true
}).pipe(Layer.provide(bySession.layer), Layer.orDie)
