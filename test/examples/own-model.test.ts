import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

const example = fileURLToPath(new URL("../../examples/own-model.ts", import.meta.url))

const start = Effect.acquireRelease(
  Effect.sync(() => spawn(process.execPath, [example, "0", ":memory:"], { stdio: ["ignore", "pipe", "inherit"] })),
  (child) => Effect.sync(() => child.kill("SIGKILL"))
)

const urlOf = async (child: ChildProcess): Promise<string> => {
  for await (const line of createInterface(child.stdout!)) return line.replace("Listening on ", "")
  throw new Error("the example ended before it listened")
}

/** What the agent said until it has said so much. */
const talk = async (url: string, text: string, lines: number): Promise<ReadonlyArray<string>> => {
  const headers = { "content-type": "application/json" }
  await fetch(`${url}/sessions`, { method: "POST", headers, body: '{"id":"s"}' })
  await fetch(`${url}/sessions/s/prompts`, { method: "POST", headers, body: JSON.stringify({ text }) })
  const said: Array<string> = []
  const { body } = await fetch(`${url}/sessions/s/events`)
  let rest = ""
  // Leaving the loop cancels the stream, before the server that sends it is gone.
  for await (const part of body!.pipeThrough(new TextDecoderStream())) {
    const read = `${rest}${part}`.split("\n")
    rest = read.pop() ?? ""
    for (const line of read.filter((line) => line.startsWith("data: {"))) {
      const content = JSON.parse(line.slice("data: ".length)).data?.message?.content
      if (typeof content === "string") said.push(content)
    }
    if (said.length >= lines) break
  }
  return said
}

it.live("a server with a model of one's own repeats what it heard, in a turn of its own", () =>
  Effect.gen(function* () {
    const child = yield* start
    const said = yield* Effect.promise(async () => talk(await urlOf(child), "Pieces of eight", 2))
    assert.deepStrictEqual(said, ["Hm.", "Pieces of eight! Pieces of eight!"])
  })
)
