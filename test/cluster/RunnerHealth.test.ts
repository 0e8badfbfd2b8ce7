import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Runners from "./Runners.ts"

const health = (url: string) =>
  Effect.promise(async () => {
    const answer = await fetch(`${url}/healthz`)
    return { http: answer.status, ...(await answer.json()) }
  })

/** Asks until it is so, for as long as a load balancer would be patient. */
const until = (url: string, holds: (found: any) => boolean) =>
  Effect.repeat(Effect.delay(health(url), 200), { until: holds }).pipe(Effect.timeout("20 seconds"))

describe("A runner", () => {
  it.live(
    "is healthy while it has its place in the cluster, tells a balancer when it lost it, and when it is back",
    () =>
      Effect.gen(function* () {
        const postgres = yield* Runners.postgres
        const [a, b] = [yield* Runners.seat(postgres, "a"), yield* Runners.seat(postgres, "b")]
        for (const { url } of [a, b]) {
          const well = yield* until(url, ({ status }) => status === "ok")
          assert.deepStrictEqual([well.http, well.problems.cluster], [200, null])
        }
        yield* a.toStore.cut
        const ill = yield* until(a.url, ({ problems }) => typeof problems.cluster === "string")
        assert.deepStrictEqual([ill.http, ill.status], [503, "unavailable"])
        assert.strictEqual((yield* until(b.url, ({ status }) => status === "ok")).http, 200)
        yield* a.toStore.mend
        yield* until(a.url, ({ status }) => status === "ok")
        yield* a.toPeers.cut
        const unreached = yield* until(a.url, ({ status }) => status === "unavailable")
        assert.match(unreached.problems.cluster, /do not reach|none of the locks/u)
        yield* a.toPeers.mend
        yield* until(a.url, ({ status }) => status === "ok")
      }),
    90_000
  )
})
