/**
 * `node:http` alone, with one answer for everything: `node bench/floors/PlainServer.ts FILE`. Sends its URL.
 */
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as Child from "../measure/Child.ts"

const body = readFileSync(process.argv[2] ?? "")
const server = createServer((request, response) => {
  request.resume()
  request.once("end", () => response.writeHead(200, { "content-length": body.length }).end(body))
})
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo
  void Child.answer(`http://127.0.0.1:${port}`)
})
process.once("SIGTERM", () => process.exit(0))
process.once("disconnect", () => process.exit(0))
