/**
 * The three tools in an MCP server of your own, beside a tool of yours, for one Session. A client of MCP starts it as
 * `node examples/tools-in-mcp.ts`; there is no Agent here to take a turn, so what is due waits until the client asks.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import { Context, Effect, Layer, Logger, Schema } from "effect"
import { McpProtocol, McpServer, Tool, Toolkit } from "effect/ai"
import {
  AgentQueue,
  AlarmClock,
  EventLogMemory,
  ScheduleMcpServer,
  ScheduleMcpTools,
  ScheduleToolHandlers,
  SessionReminders
} from "../src/index.ts"

/** The messages that are due, until somebody reads them. */
class Inbox extends Context.Service<Inbox, Array<string>>()("example/Inbox") {}

const inbox = Layer.sync(Inbox, () => [])

/** Always idle: a message interrupts nobody here. */
const agent = Layer.effect(
  AgentQueue.AgentQueue,
  Effect.map(Inbox, (inbox) => ({
    awaitIdle: Effect.void,
    maintain: (effect) => effect,
    followUp: ({ text }) => Effect.sync(() => void inbox.push(text))
  }))
)

/** Reminders that last as long as the process; a log of your own makes them last longer. */
const session = SessionReminders.layer.pipe(Layer.provide([EventLogMemory.layer(), agent, AlarmClock.layer]))

/** Which reminders a call is about: here always the same, over HTTP perhaps those that its path names. */
const called = McpServer.middleware<{ provides: ScheduleMcpTools.CalledReminders }>()(
  Effect.map(ScheduleToolHandlers.make, (tools) => {
    const reminders = ScheduleMcpTools.CalledReminders.of({
      create: tools.schedule_create,
      list: tools.schedule_list(),
      delete: (id) => tools.schedule_delete({ id })
    })
    return (call) => Effect.provideService(call, ScheduleMcpTools.CalledReminders, reminders)
  })
)

const YourTools = Toolkit.make(
  Tool.make("inbox_read", {
    description: "The reminders that came due since this was last called.",
    success: Schema.Struct({ messages: Schema.Array(Schema.String) })
  })
)

const yourTools = YourTools.toLayer(
  Effect.map(Inbox, (inbox) => ({ inbox_read: () => Effect.sync(() => ({ messages: inbox.splice(0) })) }))
)

const server = McpServer.layerStdio({
  name: "a server of your own",
  version: "1.0.0",
  protocols: [McpProtocol.v2025_11_25, McpProtocol.v2025_06_18],
  registrations: Layer.mergeAll(
    McpServer.toolkit(YourTools).pipe(Layer.provide(yourTools)),
    ScheduleMcpServer.options.registrations.pipe(Layer.provide(called.layer))
  )
}).pipe(
  Layer.provide(session),
  Layer.provide(inbox),
  Layer.provide(NodeStdio.layer),
  // The client reads standard output: what is logged must go elsewhere.
  Layer.provide(Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)]))
)

NodeRuntime.runMain(Layer.launch(server))
