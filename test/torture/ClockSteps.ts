/**
 * A wall clock that is set while reminders wait: back, which must delay them; forward, which must be noticed and must
 * bring no more than the latest occurrence of a rule.
 */
import { Effect } from "effect"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Client from "./Client.ts"
import type { Fault } from "./Fault.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import * as Server from "./Server.ts"
import * as Verdict from "./Verdict.ts"

const HOUR = 3_600_000
/** How long a delivery may take on a machine that has more to do. */
const SOON_MILLIS = 15_000

interface World {
  readonly ledger: Ledger.Ledger
  readonly url: string
  readonly session: string
  step(millis: number): Effect.Effect<void>
}

const create = Effect.fnUntraced(function* ({ ledger, url, session }: World, rule: object) {
  const prompt = ledger.newText()
  const answer = yield* Client.call(ledger, url, "POST", `/sessions/${session}/reminders`, { prompt, ...rule })
  const [id, scheduledAt] = [answer?.json.id, Date.parse(answer?.json.scheduledAt)]
  ledger.claims.push({
    session,
    prompt,
    created: Client.told(answer),
    id,
    scheduledAt,
    deleted: undefined
  })
  return prompt
})

/** How often a reminder was presented, and for which occurrences. */
const occurrences = ({ ledger, url, session }: World, prompt: string) =>
  Effect.map(Client.transcript(ledger, url, session), (events = []) =>
    events
      .filter(({ type, data }) => type === "inbox/queued" && data.message.kind === "follow-up")
      .flatMap(({ data }) => [
        ...data.message.text.matchAll(/^occurrence_at: "([^"]+)"\nlate_seconds: \d+\nreminder_prompt: (.+)$/gmu)
      ])
      .filter(([, , text]) => JSON.parse(text) === prompt)
      .map(([, at]) => Date.parse(at))
  )

const presented = Effect.fnUntraced(function* (world: World, prompt: string, times: number, withinMillis: number) {
  const until = Date.now() + withinMillis
  for (;;) {
    const seen = yield* occurrences(world, prompt)
    if (seen.length >= times || Date.now() > until) return seen
    yield* Effect.sleep(50)
  }
})

const fault = (ledger: Ledger.Ledger, isWell: boolean, what: string): void => void (isWell || ledger.faults.push(what))

/** Set back before the target: nothing comes until the clock has caught up. */
const back = Effect.fnUntraced(function* (world: World, longestWait: number) {
  const prompt = yield* create(world, { after_seconds: 1 })
  yield* world.step(-HOUR)
  const early = yield* presented(world, prompt, 1, 1_500 + longestWait)
  fault(world.ledger, early.length === 0, "a clock that was set back delivered early")
  yield* world.step(HOUR)
  const seen = yield* presented(world, prompt, 1, longestWait + SOON_MILLIS)
  fault(world.ledger, seen.length === 1, `a clock that had caught up delivered ${seen.length} times`)
})

/** Set forward over many occurrences of a rule, and over a one-shot: each comes once, the rule with its latest. */
const forward = Effect.fnUntraced(function* (world: World, longestWait: number) {
  const { ledger, url, session } = world
  const every = yield* create(world, { every_seconds: 300 })
  const once = yield* create(world, { after_seconds: 1_800 })
  const first = ledger.claims.at(-2)?.scheduledAt ?? 0
  yield* world.step(HOUR)
  const seen = yield* presented(world, every, 1, longestWait + SOON_MILLIS)
  fault(ledger, seen.length === 1 && seen[0] === first + 11 * 300_000, `an hour of a rule came as ${seen}`)
  const shots = yield* presented(world, once, 1, SOON_MILLIS)
  fault(ledger, shots.length === 1, `a one-shot that was passed over came ${shots.length} times`)
  const claim = ledger.claims.find(({ prompt }) => prompt === every)
  yield* Client.call(ledger, url, "DELETE", `/sessions/${session}/reminders/${claim?.id}`)
  if (claim !== undefined) claim.deleted = "acknowledged"
})

export const clockSteps = (longestWait: number): Fault => ({
  name: "clock steps",
  run: Effect.gen(function* () {
    const db = join(yield* Server.temporaryFolder, "clock.db")
    const ledger = Ledger.make(1)
    const [server, url] = yield* Server.started({
      db,
      main: fileURLToPath(new URL("ClockServer.ts", import.meta.url)),
      env: { TORTURE_LONGEST_WAIT: String(longestWait) }
    })
    const step = (millis: number) => Effect.sync(() => void server.process.send(millis))
    yield* Load.sessions(ledger, url)
    const world: World = { ledger, url, session: ledger.sessions[0] ?? "", step }
    yield* back(world, longestWait)
    yield* forward(world, longestWait)
    yield* step(-HOUR)
    yield* back(world, longestWait)
    return yield* Verdict.conclude("5 steps", ledger, db, [server, url])
  })
})
