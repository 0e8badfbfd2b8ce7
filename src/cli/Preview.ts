/**
 * `preview`: what a reminder would be and when it would come, without a server.
 */
import { Console, Effect, Option, Result, Schema, Stdio, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Instant from "../domain/Instant.ts"
import * as Preview from "../domain/Preview.ts"
import { ScheduleRecord } from "../domain/ScheduleRecord.ts"
import * as Forecast from "./Forecast.ts"
import * as Input from "./Input.ts"
import { encode, print, type Refusal, refuse } from "./Output.ts"

const Count = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000 }))

/** One line of standard input: arguments to preview, or a stored record to decide about. */
const decoders = {
  request: Input.decoder(
    Schema.Struct({
      request: Schema.Unknown,
      now: Schema.optionalKey(Input.InstantText),
      count: Schema.optionalKey(Count)
    })
  ),
  record: Input.decoder(Schema.Struct({ record: ScheduleRecord, now: Schema.optionalKey(Input.InstantText) }))
}

/** What programs read: the occurrences are plain instants. */
const Shown = Schema.Struct({ ...Preview.Preview.fields, occurrences: Schema.Array(Instant.Instant) })
const encodeShown = Schema.encodeSync(Shown)

const encodeForecast = ({ occurrences, ...rest }: Preview.Preview) =>
  encodeShown({ ...rest, occurrences: occurrences.map(({ instant }) => instant) })

const encodeDecision = Schema.encodeSync(Forecast.Decision)

const forecast = (request: unknown, now: Instant.Instant, count: number): Result.Result<Preview.Preview, Refusal> =>
  Result.mapError(Forecast.forecast(request, now, count), ({ code, message }) => refuse(code, message))

const noRequest = (place: string): Refusal =>
  refuse(
    "invalid_request",
    `${place} has no request: write { "request": … } there, with the arguments of a reminder, or { "record": … }.`
  )

/** Answers one line; `now` and `count` hold where it gives none. */
const answer = ({ number, text }: Input.Line, now: Instant.Instant, count: number): Result.Result<unknown, Refusal> =>
  Result.gen(function* () {
    const place = `Line ${number}`
    const input = yield* Input.parseJson(text, place)
    if (typeof input === "object" && input !== null && "record" in input) {
      const line = yield* decoders.record(input, place)
      return encodeDecision(Forecast.decide(line.record, line.now ?? now))
    }
    if (typeof input !== "object" || input === null || !("request" in input))
      return yield* Result.fail(noRequest(place))
    const line = yield* decoders.request(input, place)
    return encodeForecast(yield* forecast(line.request, line.now ?? now, line.count ?? count))
  })

/** Answers every line of standard input with one line of JSON, refusals among them. */
const answerLines = (given: Option.Option<Instant.Instant>, count: number) =>
  Effect.flatMap(Stdio.Stdio, ({ stdin }) =>
    Input.lines(Stream.orDie(stdin)).pipe(
      Stream.mapEffect((line) => Effect.map(Input.now(given), (now) => answer(line, now, count))),
      Stream.runForEach((answered) => Console.log(JSON.stringify(Result.getOrElse(answered, encode))))
    )
  )

const row = ({ instant, local }: Preview.Occurrence): string =>
  `  ${Instant.format(instant)}${local === null ? "" : `  ${local}`}`

const text = ({ record, occurrences, notes }: Preview.Preview): string => {
  const zone = "timeZone" in record ? `, and in ${record.timeZone}` : ""
  return [`${record.id} (${record.kind}) would come at these times${zone}:`, ...occurrences.map(row), ...notes].join(
    "\n"
  )
}

export const preview = Command.make(
  "preview",
  {
    request: Argument.String("json").pipe(
      Argument.withDescription("The arguments of schedule_create, or - for JSON Lines on standard input")
    ),
    now: Input.nowFlag,
    count: Flag.Int("count").pipe(
      Flag.withSchema(Count),
      Flag.withDefault(5),
      Flag.withDescription("How many occurrences to show, 1 to 1000 (default: 5)")
    )
  },
  Effect.fnUntraced(function* ({ request, now, count }) {
    if (request === "-") return yield* answerLines(now, count)
    const input = yield* Input.json(request)
    const shown = yield* Effect.fromResult(forecast(input, yield* Input.now(now), count))
    yield* print(encodeForecast(shown), text(shown))
  })
).pipe(
  Command.withDescription(
    "Show the record that arguments of schedule_create would make, and its next occurrences. With -, read JSON Lines, " +
      'each { "request", "now"?, "count"? }, or { "record", "now" } for what would be decided about a stored record, ' +
      "and print one JSON line for each."
  ),
  Command.withShortDescription("Show what a reminder would be, and when it would come"),
  Command.withExamples([
    {
      command: `session-schedule preview '{"prompt":"Stand up","cron":{"expression":"0 9 * * MON-FRI","time_zone":"Europe/Paris"}}'`
    },
    { command: "session-schedule preview --now 2026-12-01T00:00:00Z - < requests.jsonl" }
  ])
)
