/**
 * The host's HTTP API, as this page uses it.
 *
 * @typedef {typeof import("../src/host/Sessions.ts").SessionSummary.Encoded} SessionSummary
 * @typedef {typeof import("../src/host/Sessions.ts").Transcript.Encoded} Transcript
 * @typedef {typeof import("../src/host/Timeline.ts").Timeline.Encoded} Timeline
 * @typedef {typeof import("../src/host/Timeline.ts").TimelineEntry.Encoded} TimelineEntry
 * @typedef {TimelineEntry["reminder"]} Reminder
 * @typedef {typeof import("../src/domain/Session.ts").SessionEvent.Encoded} SessionEvent
 */

/** Why a request was not carried out: the host's code and words, or ours if it did not answer. */
export class HostFailure extends Error {
  /**
   * @param {number} status 0 if there was no answer
   * @param {string} code
   * @param {string} message
   */
  constructor(status, code, message) {
    super(message)
    this.status = status
    this.code = code
  }
}

const TOKEN = "session-schedule-token"

/** @returns {Record<string, string>} */
const authorization = () => {
  const token = sessionStorage.getItem(TOKEN)
  return token === null ? {} : { authorization: `Bearer ${token}` }
}

/**
 * Keeps the token that the host asks for, until this tab is closed.
 *
 * @param {string} token
 */
export const authorize = (token) => sessionStorage.setItem(TOKEN, token)

/**
 * @param {Response} response
 * @returns {Promise<HostFailure>}
 */
const failureOf = async (response) => {
  const { code, message } = await response.json().catch(() => ({}))
  return new HostFailure(
    response.status,
    typeof code === "string" ? code : "unknown",
    typeof message === "string" ? message : `The host answered with status ${response.status}.`
  )
}

/**
 * The answer to a request that the host carried out; anything else is a `HostFailure`.
 *
 * @param {string} path
 * @param {RequestInit} [options]
 * @returns {Promise<Response>}
 */
export const request = async (path, options = {}) => {
  const headers = { ...authorization(), ...options.headers }
  const response = await fetch(path, { cache: "no-store", ...options, headers }).catch((error) => {
    throw options.signal?.aborted ? error : new HostFailure(0, "no_answer", "The host does not answer.")
  })
  if (!response.ok) throw await failureOf(response)
  return response
}

/**
 * @param {string} path
 * @returns {Promise<any>}
 */
const get = async (path) => (await request(path)).json()

/**
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<any>}
 */
const post = async (path, body = null) => {
  const response = await request(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  return response.status === 204 ? undefined : response.json()
}

/** @param {string} id */
export const pathOf = (id) => `sessions/${encodeURIComponent(id)}`

/** @returns {Promise<ReadonlyArray<SessionSummary>>} */
export const sessions = () => get("sessions")

/**
 * @param {string} [id]
 * @returns {Promise<{ readonly id: string }>}
 */
export const create = (id) => post("sessions", id === undefined ? {} : { id })

/** @param {string} id */
export const open = (id) => post(`${pathOf(id)}/open`)

/** @param {string} id */
export const close = (id) => post(`${pathOf(id)}/close`)

/**
 * @param {string} id
 * @param {string} child
 * @returns {Promise<{ readonly id: string }>}
 */
export const fork = (id, child) => post(`${pathOf(id)}/fork`, { id: child })

/**
 * @param {string} id
 * @param {string} text
 * @param {string | undefined} timeZone
 */
export const prompt = (id, text, timeZone) =>
  post(`${pathOf(id)}/prompts`, timeZone === undefined ? { text } : { text, timeZone })

/**
 * @param {string} id
 * @param {number} from
 * @param {number} limit
 * @returns {Promise<Transcript>}
 */
export const transcript = (id, from, limit) => get(`${pathOf(id)}/transcript?from=${from}&limit=${limit}`)

/**
 * @param {string} id
 * @param {number} count
 * @returns {Promise<Timeline>}
 */
export const timeline = (id, count) => get(`${pathOf(id)}/timeline?count=${count}`)

/**
 * @param {string} id
 * @param {unknown} reminder
 * @returns {Promise<Reminder>}
 */
export const remind = (id, reminder) => post(`${pathOf(id)}/reminders`, reminder)

/**
 * @param {string} id
 * @param {string} scheduleId
 * @returns {Promise<typeof import("../src/domain/ScheduleView.ts").DeleteResult.Encoded>}
 */
export const forget = async (id, scheduleId) =>
  (await request(`${pathOf(id)}/reminders/${encodeURIComponent(scheduleId)}`, { method: "DELETE" })).json()
