/** Ports of this machine that nobody listens on. */
import { Effect } from "effect"
import { type AddressInfo, createServer } from "node:net"

export const free = Effect.callback<number>((resume) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address() as AddressInfo
    server.close(() => resume(Effect.succeed(port)))
  })
})
