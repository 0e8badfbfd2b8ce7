/**
 * What is wrong with a log of JSON Lines.
 */
import { Effect, Option, Result, Stream } from "effect"
import type { SessionHeader } from "../domain/Session.ts"
import * as Finding from "./Finding.ts"
import * as Input from "./Input.ts"
import * as Judge from "./Judge.ts"
import * as LogFile from "./LogFile.ts"
import type { Refusal } from "./Output.ts"
import type { Tell } from "./Progress.ts"

const unreadable = (file: string, session: string | null, { message, details }: Refusal): Finding.Finding => {
  const { seq } = { seq: null, ...details }
  return { file, session, seq: typeof seq === "number" ? seq : null, message }
}

/** Reads a log to its end, or to the first line that is none of its own. */
export const verify = Effect.fnUntraced(function* (file: string, tell: Tell) {
  let header = Option.none<SessionHeader>()
  let judge = Judge.make()
  let refusal = Option.none<Refusal>()

  const take = (line: Result.Result<LogFile.Entry, Refusal>): void => {
    if (Result.isFailure(line)) refusal = Option.some(line.failure)
    else if ("event" in line.success) judge.take(line.success.event)
    else {
      header = Option.some(line.success.header)
      judge = Judge.make(line.success.header.seedLength)
    }
  }

  const lines = Stream.takeUntil(LogFile.entries(Input.bytes(file)), Result.isFailure)
  yield* Stream.runForEachArray(lines, (all) =>
    Effect.suspend(() => {
      all.forEach(take)
      return tell(`${file}: ${judge.length()} events`)
    })
  )
  const session = Option.getOrNull(Option.map(header, ({ id }) => id))
  const judged = Finding.ofLog(file, session, judge)
  const isEmpty = Option.isNone(header) && Option.isNone(refusal) && judge.length() === 0
  return {
    file,
    kind: "log",
    sessions: isEmpty ? 0 : 1,
    events: judge.length(),
    problems: [
      ...judged.problems,
      ...Option.toArray(Option.map(refusal, (refusal) => unreadable(file, session, refusal))),
      ...(isEmpty ? [Finding.ofFile(file, "It holds no log.")] : [])
    ],
    notes: [
      ...judged.notes,
      ...(Option.isNone(header) && !isEmpty ? [Finding.ofFile(file, "Without a header it can't be imported.")] : [])
    ]
  } satisfies Finding.Verified
})
