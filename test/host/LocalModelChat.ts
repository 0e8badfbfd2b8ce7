/**
 * A conversation with the local model: its calls are answered by reminders that live in memory.
 */
import { Effect, Option, Result, Schema } from "effect"
import { Prompt } from "effect/ai"
import * as Instant from "../../src/domain/Instant.ts"
import { type InvalidRequest, toFailure } from "../../src/domain/ScheduleError.ts"
import { ScheduleId, type ScheduleRecord } from "../../src/domain/ScheduleRecord.ts"
import * as ScheduleRequest from "../../src/domain/ScheduleRequest.ts"
import { view } from "../../src/domain/ScheduleView.ts"
import * as LocalModel from "../../src/host/LocalModel.ts"
import * as TimeContext from "../../src/host/TimeContext.ts"
import { ScheduleTools } from "../../src/services/ScheduleTools.ts"

export const instant = (text: string): Instant.Instant => Option.getOrThrow(Instant.parse(text))

/** Monday, 20:00 in Shanghai. */
export const NOW = instant("2026-11-30T12:00:00.000Z")

interface Call {
  readonly id: string
  readonly name: string
  readonly params: unknown
}

const Target = Schema.Struct({ id: ScheduleId })

const memory = (now: Instant.Instant) => {
  let count = 0
  const records: Array<ScheduleRecord> = []
  const create = (params: unknown): Result.Result<ScheduleRecord, InvalidRequest> =>
    Result.flatMap(ScheduleRequest.decode(params), (request) =>
      ScheduleRequest.plan(request, ScheduleId.make(`schedule-${++count}`), now)
    )
  const handlers = ScheduleTools.of({
    schedule_create: (params) =>
      Effect.gen(function* () {
        const record = yield* Effect.mapError(Effect.fromResult(create(params)), toFailure)
        records.push(record)
        return view(record, now)
      }),
    schedule_list: () => Effect.sync(() => records.map((record) => view(record, now))),
    schedule_delete: (params) =>
      Effect.sync(() => {
        const { id } = Schema.decodeUnknownSync(Target)(params)
        const index = records.findIndex((record) => record.id === id)
        if (index < 0) return { id, deleted: false, code: "schedule_not_found" } as const
        records.splice(index, 1)
        return { id, deleted: true } as const
      })
  })
  return { records, handlers }
}

/** What came of one turn. */
export interface Turn {
  readonly text: string
  readonly calls: ReadonlyArray<Call>
}

/** A conversation in which the clock stands still; each turn may name its zones. */
export const start = Effect.fnUntraced(function* (now: Instant.Instant = NOW) {
  const { records, handlers } = memory(now)
  const toolkit = yield* Effect.provide(ScheduleTools, ScheduleTools.toLayer(handlers))
  const model = yield* LocalModel.make
  let history: ReadonlyArray<Prompt.Message> = []

  const say = (told: string | ReadonlyArray<string>, zones: ReadonlyArray<string> = ["Asia/Shanghai"]) =>
    Effect.gen(function* () {
      const calls: Array<Call> = []
      const texts = typeof told === "string" ? [told] : told
      const system = Prompt.systemMessage({ content: `You keep reminders.\n\n${TimeContext.render({ now, zones })}` })
      history = [
        ...history,
        ...texts.map((text) => Prompt.userMessage({ content: [Prompt.makePart("text", { text })] }))
      ]
      for (let step = 0; step < 5; step++) {
        const prompt = Prompt.fromMessages([system, ...history])
        const response = yield* model.generateText({ prompt, toolkit, concurrency: 1 })
        history = [...history, ...Prompt.fromResponseParts(response.content).content]
        calls.push(...response.toolCalls.map(({ id, name, params }) => ({ id, name, params })))
        if (response.toolCalls.length === 0) return { text: response.text, calls }
      }
      return yield* Effect.die("The model never stops calling tools")
    })

  return { records, say, history: () => history }
})
