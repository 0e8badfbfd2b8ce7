/**
 * A Session's events as they come: one connection at a time, taken up again where it broke.
 */
import * as Host from "./host.js"

/** The host gives a sign of life every 15 seconds; without one for so long, in milliseconds, nobody is there. */
const PATIENCE = 40_000
/** Between two tries, in milliseconds: the first, and the longest. */
const FIRST_WAIT = 250
const LONGEST_WAIT = 8_000

/**
 * @typedef {object} Listener
 * @property {(event: Host.SessionEvent) => void} event
 * @property {() => void} connected
 * @property {(failure: Host.HostFailure, retryMillis: number | undefined) => void} disconnected no retry: it is over
 */

/**
 * The messages of a stream of server-sent events.
 *
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<{ event: string, data: string }>}
 */
async function* messages(body) {
  let rest = ""
  const decoder = new TextDecoder()
  for await (const bytes of chunks(body)) {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split("\n\n")
    rest = blocks.pop() ?? ""
    for (const block of blocks) yield parse(block)
  }
}

/**
 * Not every browser iterates over a stream by itself.
 *
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<Uint8Array>}
 */
async function* chunks(body) {
  const reader = body.getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value
}

/** @param {string} block */
const parse = (block) => {
  const message = { event: "message", data: "" }
  for (const line of block.split("\n")) {
    const [, field, value = ""] = /^(\w+): ?(.*)$/u.exec(line) ?? []
    if (field === "event") message.event = value
    if (field === "data") message.data += value
  }
  return message
}

/**
 * Waits, or goes on at once when there is reason to believe that it works again, or when it is over.
 *
 * @param {number} millis
 * @param {AbortSignal} over
 * @returns {Promise<void>}
 */
const pause = (millis, over) =>
  new Promise((resolve) => {
    const woken = new AbortController()
    const { signal } = woken
    const wake = () => {
      clearTimeout(timer)
      woken.abort()
      resolve()
    }
    const timer = setTimeout(wake, millis)
    over.addEventListener("abort", wake, { signal })
    addEventListener("online", wake, { signal })
    document.addEventListener("visibilitychange", wake, { signal })
  })

/**
 * Waits until someone looks at the page.
 *
 * @param {AbortSignal} over
 */
const shown = async (over) => {
  while (document.hidden && !over.aborted) await pause(PATIENCE, over)
}

/**
 * A signal that ends one connection: when it is silent for too long, when nobody looks at the page, as browsers open
 * few connections to one host, or when all is over. `alive` is called at each sign of life.
 *
 * @param {AbortSignal} over
 */
const connection = (over) => {
  const ended = new AbortController()
  const signal = AbortSignal.any([over, ended.signal])
  const end = () => ended.abort()
  let timer = setTimeout(end, PATIENCE)
  const alive = () => {
    clearTimeout(timer)
    timer = setTimeout(end, PATIENCE)
  }
  signal.addEventListener("abort", () => clearTimeout(timer))
  document.addEventListener("visibilitychange", () => document.hidden && end(), { signal })
  return { signal, alive, end }
}

const broken = () => new Host.HostFailure(0, "no_answer", "The connection to the host is broken.")

/**
 * Trying again would not help: the Session is not there, or not for us.
 *
 * @param {Host.HostFailure} failure
 */
const isFinal = ({ status }) => status >= 400 && status < 500

/**
 * Follows a Session's events from a place on, whatever happens to the connection.
 *
 * @param {string} session
 * @param {() => Promise<number>} from finds the place, once there is a host to ask
 * @param {Listener} listener
 * @returns {() => void} ends it
 */
export const follow = (session, from, listener) => {
  const stopped = new AbortController()
  const over = stopped.signal
  /** @type {number | undefined} */
  let next
  let wait = FIRST_WAIT

  /**
   * One event that can't be shown is no reason to miss the others.
   *
   * @param {Host.SessionEvent} event
   */
  const show = (event) => {
    try {
      listener.event(event)
    } catch (error) {
      reportError(error)
    }
  }

  /** @param {{ event: string, data: string }} message */
  const take = ({ event, data }) => {
    if (event === "heartbeat" || over.aborted) return
    const value = JSON.parse(data)
    if (event === "failure") {
      wait = LONGEST_WAIT
      throw new Host.HostFailure(0, value.code, value.message)
    }
    if (next !== undefined && value.seq < next) return
    next = value.seq + 1
    show(value)
  }

  const connect = async () => {
    const { signal, alive, end } = connection(over)
    try {
      next ??= await from()
      const response = await Host.request(`${Host.pathOf(session)}/events?from=${next}`, { signal })
      if (response.body === null || over.aborted) throw broken()
      wait = FIRST_WAIT
      listener.connected()
      for await (const message of messages(response.body)) {
        alive()
        take(message)
      }
      throw broken()
    } catch (error) {
      return error instanceof Host.HostFailure ? error : broken()
    } finally {
      end()
    }
  }

  const run = async () => {
    while (!over.aborted) {
      const failure = await connect()
      if (over.aborted) return
      if (isFinal(failure)) return listener.disconnected(failure, undefined)
      if (document.hidden) {
        await shown(over)
        continue
      }
      listener.disconnected(failure, wait)
      await pause(wait, over)
      wait = Math.min(wait * 2, LONGEST_WAIT)
    }
  }

  void run()
  return () => stopped.abort()
}
