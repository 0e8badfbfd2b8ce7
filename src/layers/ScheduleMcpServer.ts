/**
 * The MCP server of one Session's tools, whatever it talks through; `CalledReminders` comes with each call.
 */
import { Layer } from "effect"
import { McpProtocol, McpServer } from "effect/ai"
import { ScheduleMcpTools } from "../services/ScheduleMcpTools.ts"
import { VERSION } from "../Version.ts"
import * as ScheduleMcpHandlers from "./ScheduleMcpHandlers.ts"

/** For `McpServer.layerHttp` and `McpServer.layerStdio`. */
export const options = {
  name: "session-schedule",
  version: VERSION,
  instructions:
    "Reminders of one conversation: they come back into it as later turns when they are due. Times need an explicit " +
    "offset or time zone: never guess one, ask.",
  protocols: [McpProtocol.v2025_11_25, McpProtocol.v2025_06_18, McpProtocol.v2025_03_26, McpProtocol.v2024_11_05],
  registrations: McpServer.toolkit(ScheduleMcpTools).pipe(Layer.provide(ScheduleMcpHandlers.layer))
} as const
