/**
 * The HTTP API, answered by the host's Sessions.
 */
import { Effect, Layer, SchemaIssue } from "effect"
import { HttpApiBuilder, HttpApiMiddleware } from "effect/http-api"
import { type Failure, HostApi, InvalidRequests, PAGE } from "./HostApi.ts"
import { answered, answeredBy, answeredStream } from "./HostFailure.ts"
import { Listener } from "./Listener.ts"
import { Sessions } from "./Sessions.ts"
import * as TranscriptStream from "./TranscriptStream.ts"

/** How many occurrences of a reminder an answer holds when the caller does not say. */
const OCCURRENCES = 5

const invalid = (message: string) => Effect.fail({ code: "invalid_request", message } as const)

/** The fields of a JSON object that has no others; without a body there are none. Their values are not judged here. */
const fields = <const Name extends string>(
  payload: unknown,
  names: ReadonlyArray<Name>
): Effect.Effect<{ readonly [K in Name]?: unknown }, Failure> => {
  const known = names.join(", ")
  if (payload === null) return Effect.succeed({})
  if (typeof payload !== "object" || Array.isArray(payload)) {
    return invalid(`Send a JSON object; its fields are: ${known}.`)
  }
  return Object.keys(payload).every((key) => names.some((name) => name === key))
    ? Effect.succeed(payload)
    : invalid(`The body has a field of another name; its fields are: ${known}.`)
}

const sessions = HttpApiBuilder.group(
  HostApi,
  "sessions",
  Effect.fnUntraced(function* (handlers) {
    const sessions = yield* Sessions
    const { stopping, streams } = yield* Listener

    /** A Session that is not there, and that there is no room, are told before the stream begins. */
    const follow = (id: string, from: number) =>
      Effect.as(
        Effect.andThen(streams.room, answered(sessions.transcript(id, from, 1))),
        TranscriptStream.messages(streams.counted(answeredStream(sessions.follow(id, from))), stopping)
      )

    return handlers.handleAll({
      create: ({ payload }) => Effect.flatMap(fields(payload, ["id"]), ({ id }) => answered(sessions.create(id))),
      list: () => answered(sessions.list),
      get: ({ params }) => answered(sessions.summary(params.id)),
      open: ({ params }) => answered(sessions.open(params.id)),
      close: ({ params }) => answered(sessions.close(params.id)),
      fork: ({ params, payload }) =>
        Effect.flatMap(fields(payload, ["id", "length"]), (options) => answered(sessions.fork(params.id, options))),
      prompt: ({ params, payload }) =>
        fields(payload, ["text", "timeZone"]).pipe(
          Effect.flatMap(({ text, ...rest }) => answered(sessions.prompt(params.id, { text, ...rest }))),
          Effect.map((messageId) => ({ messageId }))
        ),
      transcript: ({ params, query }) => answered(sessions.transcript(params.id, query.from ?? 0, query.limit ?? PAGE)),
      events: ({ params, query, headers }) => {
        const last = headers["last-event-id"]
        return follow(params.id, last === undefined ? (query.from ?? 0) : last + 1)
      },
      timeline: ({ params, query }) => answered(sessions.timeline(params.id, query.count ?? OCCURRENCES))
    })
  })
)

const reminders = HttpApiBuilder.group(
  HostApi,
  "reminders",
  Effect.fnUntraced(function* (handlers) {
    const sessions = yield* Sessions
    return handlers.handleAll({
      create: ({ params, payload }) => answeredBy(sessions, params.id, (reminders) => reminders.create(payload)),
      list: ({ params }) => answeredBy(sessions, params.id, (reminders) => reminders.list),
      delete: ({ params }) => answeredBy(sessions, params.id, (reminders) => reminders.delete(params.scheduleId))
    })
  })
)

const explain = SchemaIssue.makeFormatterStandardSchemaV1()

const invalidRequests = HttpApiMiddleware.layerSchemaErrorTransform(InvalidRequests, ({ kind, cause }) => {
  if (kind === "Body" || kind === "ResponseHeaders") return Effect.die(cause)
  if (kind === "Payload") return invalid("The body is not JSON: send a JSON value.")
  const [issue] = explain(cause.issue).issues
  return invalid(`${(issue?.path ?? [kind]).map(String).join(".")}: ${issue?.message ?? "not understood"}`)
})

/** The endpoints of the HTTP API, and its description at `/openapi.json`. */
export const layer = HttpApiBuilder.layer(HostApi, { openapiPath: "/openapi.json" }).pipe(
  Layer.provide([sessions, reminders]),
  Layer.provide(invalidRequests)
)
