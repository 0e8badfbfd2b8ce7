/** One PostgreSQL for all tests of a run. It is started when the first test asks for it, and so only if one does. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { TestProject } from "vitest/node"
import * as PgServer from "./PgServer.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** Where a test asks for the server's URL. */
    readonly postgres: string
  }
}

export default async (project: TestProject): Promise<() => Promise<void>> => {
  let started: Promise<PgServer.PgServer> | undefined
  const door = createServer(async (_request, response) => {
    try {
      response.end((await (started ??= PgServer.make())).url)
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve))
  project.provide("postgres", `http://127.0.0.1:${(door.address() as AddressInfo).port}`)
  return async () => {
    door.close()
    await (await started)?.remove()
  }
}
