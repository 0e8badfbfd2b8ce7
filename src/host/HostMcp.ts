/**
 * The tools of each Session over MCP, at a path of its own.
 */
import { Effect, Layer } from "effect"
import { McpServer } from "effect/ai"
import { Headers, HttpEffect, HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import * as ScheduleMcpServer from "../layers/ScheduleMcpServer.ts"
import { CalledReminders } from "../services/ScheduleMcpTools.ts"
import { answeredBy } from "./HostFailure.ts"
import { Limits } from "./Listener.ts"
import * as McpArguments from "./McpArguments.ts"
import * as McpSessions from "./McpSessions.ts"
import { Sessions } from "./Sessions.ts"

/** The header that names a client's conversation with the library. */
const SESSION = "mcp-session-id"

/** The reminders of a Session. A call makes it live; to connect and to list the tools does not. */
const remindersOf = (sessions: Sessions["Service"], id: unknown): CalledReminders["Service"] => ({
  create: (input) => answeredBy(sessions, id, (reminders) => reminders.create(input)),
  list: answeredBy(sessions, id, (reminders) => reminders.list),
  delete: (scheduleId) => answeredBy(sessions, id, (reminders) => reminders.delete(scheduleId))
})

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** How the library ends a client's conversation, once it has said so. */
interface Endings {
  handler: ((request: Request) => Effect.Effect<Response, unknown>) | undefined
}

/** The request, with a body that the library can read. It takes one that is too large for no JSON: it is read before. */
const readable = Effect.fnUntraced(function* (request: Request) {
  const text = McpArguments.readable(yield* Effect.orDie(request.text))
  return Object.create(request, { text: { value: Effect.succeed(text) } }) as Request
})

/** Keeps account of who uses which conversation, and ends those that are too many. */
const accounted = (known: McpSessions.McpSessions, endings: Endings, request: Request) => {
  const end = (id: string) =>
    Effect.ignore(endings.handler?.(request.modify({ headers: Headers.fromInput({ [SESSION]: id }) })) ?? Effect.void)
  const used = request.headers[SESSION]
  if (used !== undefined) known.use(used)
  return HttpEffect.appendPreResponseHandler((_, response) => {
    if (request.method === "DELETE" && response.status === 204 && used !== undefined) known.end(used)
    const begun = response.headers[SESSION]
    const ended = begun === undefined || begun === used ? [] : known.begin(begun)
    return Effect.as(Effect.forEach(ended, end, { discard: true }), response)
  })
}

/** One server serves all paths: which Session is meant comes with the request. */
const bySession = (known: McpSessions.McpSessions, endings: Endings) =>
  HttpRouter.middleware<{ provides: CalledReminders }>()(
    Effect.map(
      Sessions,
      (sessions) => (answer) =>
        Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const { id } = yield* HttpRouter.params
          const response = yield* answer.pipe(
            Effect.provideService(CalledReminders, remindersOf(sessions, id)),
            Effect.provideService(HttpServerRequest.HttpServerRequest, yield* readable(request))
          )
          yield* accounted(known, endings, request)
          return response
        })
    )
  )

/** The router for the library, from which we learn how it ends a conversation: it says so to clients alone. */
const learning = (endings: Endings) =>
  Layer.effect(
    HttpRouter.HttpRouter,
    Effect.map(HttpRouter.HttpRouter, (router) => ({
      ...router,
      add: ((method, path, handler, options) => {
        if (method === "DELETE" && typeof handler === "function") endings.handler = handler as Endings["handler"]
        return router.add(method, path, handler, options)
      }) as HttpRouter.HttpRouter["add"]
    }))
  )

export const layer: Layer.Layer<never, never, Sessions | HttpRouter.HttpRouter> = Layer.unwrap(
  Effect.map(Limits, ({ mcpSessions }) => {
    const endings: Endings = { handler: undefined }
    return McpServer.layerHttp({
      ...ScheduleMcpServer.options,
      path: "/sessions/:id/mcp",
      allowSessionTermination: true
    }).pipe(Layer.provide([bySession(McpSessions.make(mcpSessions), endings).layer, learning(endings)]), Layer.orDie)
  })
)
