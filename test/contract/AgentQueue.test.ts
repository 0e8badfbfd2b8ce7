import { Effect } from "effect"
import * as Instant from "../../src/domain/Instant.ts"
import * as ScriptedAgent from "../../src/testing/ScriptedAgent.ts"
import * as AgentWorld from "../host/AgentWorld.ts"
import { contract } from "./AgentQueue.contract.ts"

contract(
  "scripted by a test",
  Effect.gen(function* () {
    const { queue, beginTurn, endTurn, heard, holdTurns } = yield* ScriptedAgent.make
    yield* holdTurns(true)
    const texts = Effect.sync(() => heard.map(({ text }) => text))
    return { queue, say: Effect.asVoid(Effect.forkChild(beginTurn)), endTurn, commit: Effect.void, heard: texts }
  })
)

contract(
  "the host's",
  Effect.gen(function* () {
    const world = yield* AgentWorld.make
    const agent = yield* Effect.orDie(world.open)
    const turns: Array<AgentWorld.OpenTurn> = []
    yield* Effect.forkScoped(Effect.forever(Effect.map(world.nextTurn, (turn) => turns.push(turn))))
    return {
      queue: agent.queue,
      say: Effect.asVoid(Effect.forkChild(agent.prompt("hello", undefined))),
      endTurn: Effect.suspend(() => turns.at(-1)?.end() ?? Effect.void),
      commit: Effect.andThen(
        world.log.append([{ at: Instant.clamp(0), type: "schedule/change", data: {} }]),
        world.log.flush
      ).pipe(Effect.orDie),
      heard: Effect.sync(() =>
        turns.flatMap(({ turn }) => turn.messages.filter(({ kind }) => kind === "follow-up").map(({ text }) => text))
      )
    }
  })
)
