/**
 * `mcp`: a Session's tools over standard input and output, for a client of MCP that starts it.
 */
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Host from "./Host.ts"
import * as Token from "./Token.ts"

export const mcp = Command.make(
  "mcp",
  { session: Host.sessionFlag, ...Host.flags },
  Effect.fnUntraced(function* ({ session, url, tokenFile }) {
    const token = yield* Token.read(tokenFile)
    const { serve } = yield* Effect.promise(() => import("./McpStdio.ts"))
    return yield* serve({ session, url, token })
  })
).pipe(
  Command.withDescription(
    "Serve the reminders of a Session to a client of MCP, over standard input and output. A call makes the Session live."
  ),
  Command.withShortDescription("Serve a Session's tools over MCP"),
  Command.withExamples([{ command: "session-schedule mcp --session demo" }])
)
