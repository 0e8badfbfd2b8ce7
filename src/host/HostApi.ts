/**
 * The HTTP API of the host, as a contract: what every client needs to know, and nothing of how it is served.
 */
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware, HttpApiSchema, OpenApi } from "effect/http-api"
import { Arguments } from "../domain/ScheduleArguments.ts"
import { InputCode, Operation } from "../domain/ScheduleError.ts"
import { DeleteResult, ScheduleView } from "../domain/ScheduleView.ts"
import { SessionEvent, SessionHeader, SessionId } from "../domain/Session.ts"
import { AnyJson } from "../services/ScheduleRpc.ts"
import { VERSION } from "../Version.ts"
import { SessionSummary, Transcript } from "./Sessions.ts"
import { MAX_OCCURRENCES, MAX_TOTAL, Timeline } from "./Timeline.ts"

const failure = <const Codes extends ReadonlyArray<string>>(status: number, codes: Codes) =>
  Schema.Struct({ code: Schema.Literals(codes), message: Schema.String }).pipe(HttpApiSchema.status(status))

/** Fix the request. */
const Refused = failure(400, [...InputCode.literals, "invalid_request", "invalid_session_id", "invalid_fork"])

const failures = [
  Refused,
  failure(401, ["unauthorized"]),
  failure(403, ["forbidden"]),
  failure(404, ["session_not_found", "not_found"]),
  failure(409, ["session_exists"]),
  failure(413, ["too_large"]),
  failure(500, ["internal_error", "corrupt_schedule_log", "session_corrupt"]),
  Schema.Struct({
    code: Schema.Literals(["persistence_uncertain", "unavailable", "too_many_streams"]),
    message: Schema.String,
    operation: Schema.optionalKey(Operation),
    id: Schema.optionalKey(Schema.String)
  }).pipe(HttpApiSchema.status(503))
] as const

/** Whatever goes wrong, a caller sees this: a stable code, and a message that says what to do instead. */
export const Failure = Schema.Union(failures)
export type Failure = typeof Failure.Type

/** Refuses what can't be read as a request at all in the words of every other refusal. */
export class InvalidRequests extends HttpApiMiddleware.Service<InvalidRequests>()(
  "effect-session-schedule/host/InvalidRequests",
  { error: Refused }
) {}

/** Tells a client exactly what to send, while the endpoint takes any JSON: the domain judges it, in its own codes. */
const body = (schema: Schema.Constraint) =>
  OpenApi.annotations({
    transform: (operation) => ({
      ...operation,
      requestBody: {
        content: {
          "application/json": { schema: Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" }).schema }
        }
      }
    })
  })

const Place = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const params = { id: Schema.String }
/** Any JSON; no body at all counts as null. */
const payload = [AnyJson, Schema.Null] as const

/** The most events that one answer holds. */
export const MAX_EVENTS = 1_000
/** How many it holds when the caller does not say. */
export const PAGE = 200

/** What a prompt is answered with: the message is durable, and waits for its turn. */
export const Accepted = Schema.Struct({ messageId: Schema.Int })

/**
 * One server-sent event: an event of the transcript (`id` is its `seq`), a sign of life, or why the stream ends early.
 */
export const TranscriptMessage = Schema.Union([
  Schema.Struct({ id: Schema.String, event: Schema.Literal("message"), data: Schema.fromJsonString(SessionEvent) }),
  Schema.Struct({ event: Schema.Literal("heartbeat"), data: Schema.Literal("") }),
  Schema.Struct({ event: Schema.Literal("failure"), data: Schema.fromJsonString(Failure) })
])
export type TranscriptMessage = typeof TranscriptMessage.Type

const sessions = HttpApiGroup.make("sessions").add(
  HttpApiEndpoint.post("create", "/sessions", {
    payload,
    success: SessionHeader.pipe(HttpApiSchema.status(201)),
    error: failures
  })
    .annotate(OpenApi.Summary, "A new Session, live at once, under the id given or a new one")
    .annotateMerge(body(Schema.Struct({ id: Schema.optionalKey(SessionId) }))),
  HttpApiEndpoint.get("list", "/sessions", { success: Schema.Array(SessionSummary), error: failures }).annotate(
    OpenApi.Summary,
    "All Sessions, live or cold, with their active reminders and next target; wakes none"
  ),
  HttpApiEndpoint.get("get", "/sessions/:id", { params, success: SessionSummary, error: failures }).annotate(
    OpenApi.Summary,
    "One Session, as in the list; does not wake it"
  ),
  HttpApiEndpoint.post("open", "/sessions/:id/open", { params, success: SessionHeader, error: failures }).annotate(
    OpenApi.Summary,
    "Makes a Session live: what is overdue is delivered"
  ),
  HttpApiEndpoint.post("close", "/sessions/:id/close", {
    params,
    success: HttpApiSchema.NoContent,
    error: failures
  }).annotate(OpenApi.Summary, "Makes a Session cold: work in flight is finished, nothing is deleted"),
  HttpApiEndpoint.post("fork", "/sessions/:id/fork", {
    params,
    payload,
    success: SessionHeader.pipe(HttpApiSchema.status(201)),
    error: failures
  })
    .annotate(OpenApi.Summary, "A new cold Session with the history of this one, and none of its reminders")
    .annotateMerge(body(Schema.Struct({ id: Schema.optionalKey(SessionId), length: Schema.optionalKey(Place) }))),
  HttpApiEndpoint.post("prompt", "/sessions/:id/prompts", {
    params,
    payload,
    success: Accepted.pipe(HttpApiSchema.status(202)),
    error: failures
  })
    .annotate(OpenApi.Summary, "Says something in the Session, which becomes live; answered once it is durable")
    .annotateMerge(
      body(Schema.Struct({ text: Schema.NonEmptyString, timeZone: Schema.optionalKey(Schema.NonEmptyString) }))
    ),
  HttpApiEndpoint.get("transcript", "/sessions/:id/transcript", {
    params,
    query: {
      from: Schema.optionalKey(Place),
      limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: MAX_EVENTS })))
    },
    success: Transcript,
    error: failures
  }).annotate(OpenApi.Summary, "Durable events of the conversation from a place on"),
  HttpApiEndpoint.get("events", "/sessions/:id/events", {
    params,
    query: { from: Schema.optionalKey(Place) },
    headers: { "last-event-id": Schema.optionalKey(Place) },
    success: HttpApiSchema.StreamSse({ events: TranscriptMessage }),
    error: failures
  }).annotate(OpenApi.Summary, "The same as server-sent events, with those to come; resumes after Last-Event-ID"),
  HttpApiEndpoint.get("timeline", "/sessions/:id/timeline", {
    params,
    query: {
      count: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: MAX_OCCURRENCES })))
    },
    success: Timeline,
    error: failures
  }).annotate(
    OpenApi.Summary,
    `The active reminders with their next occurrences (${MAX_TOTAL} in all at most) and notes on their rules; does not wake the Session`
  )
)

const reminders = HttpApiGroup.make("reminders").add(
  HttpApiEndpoint.post("create", "/sessions/:id/reminders", {
    params,
    payload,
    success: ScheduleView.pipe(HttpApiSchema.status(201)),
    error: failures
  })
    .annotate(OpenApi.Summary, "Creates a reminder in the Session, which becomes live")
    .annotateMerge(body(Arguments)),
  HttpApiEndpoint.get("list", "/sessions/:id/reminders", {
    params,
    success: Schema.Array(ScheduleView),
    error: failures
  }).annotate(
    OpenApi.Summary,
    "The active reminders of the Session, which becomes live, in the order of their creation"
  ),
  HttpApiEndpoint.delete("delete", "/sessions/:id/reminders/:scheduleId", {
    params: { id: Schema.String, scheduleId: Schema.String },
    success: DeleteResult,
    error: failures
  }).annotate(OpenApi.Summary, "Ends a reminder unsent; one that has ended is no failure")
)

/** Says that a host may ask for a token. */
const withToken = ({ components, ...api }: Record<string, any>) => ({
  ...api,
  components: { ...components, securitySchemes: { token: { type: "http", scheme: "bearer" } } },
  security: [{}, { token: [] }]
})

export const HostApi = HttpApi.make("session-schedule")
  .add(sessions, reminders)
  .middleware(InvalidRequests)
  .annotateMerge(
    OpenApi.annotations({
      title: "session-schedule",
      version: VERSION,
      description: "Agent Sessions with durable reminders. Every failure is JSON: { code, message }.",
      transform: withToken
    })
  )
