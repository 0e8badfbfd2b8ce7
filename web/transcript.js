/**
 * What the events of a Session's log say, for people.
 *
 * @typedef {import("./host.js").SessionEvent} SessionEvent
 * @typedef {{ readonly prompt: string, readonly lateSeconds: number, readonly occurrenceAt: string }} DueReminder
 */

/**
 * What happened, in the order in which it is to be shown.
 *
 * @typedef {{ kind: "said", message: number, text: string }
 *   | { kind: "due", message: number, ids: ReadonlyArray<string>, reminders: ReadonlyArray<DueReminder> }
 *   | { kind: "started", messages: ReadonlyArray<number> }
 *   | { kind: "answered", text: string }
 *   | { kind: "called", call: string, tool: string, params: unknown }
 *   | { kind: "resulted", call: string, tool: string, isFailure: boolean, result: unknown }
 *   | { kind: "ended", outcome: string, error: string | undefined }
 *   | { kind: "rescheduled" }} Happening
 */

/**
 * A value of the framing's `name: JSON` lines.
 *
 * @param {string} text
 */
const json = (text) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const LINES = /^occurrence_at: (.*)\nlate_seconds: (.*)\nreminder_prompt: (.*)$/gmu

/**
 * The reminders that a message to the model presents; its frame is for the model, not for people.
 *
 * @param {string} text
 * @returns {ReadonlyArray<DueReminder>}
 */
const dueReminders = (text) =>
  [...text.matchAll(LINES)].map(([, occurrenceAt = "", lateSeconds = "", prompt = ""]) => ({
    prompt: String(json(prompt) ?? prompt),
    lateSeconds: Number(json(lateSeconds) ?? 0),
    occurrenceAt: String(json(occurrenceAt) ?? "")
  }))

/**
 * @param {any} part of a message of `effect/ai`
 * @returns {ReadonlyArray<Happening>}
 */
const partHappenings = (part) => {
  switch (part?.type) {
    case "text":
      return part.text === "" ? [] : [{ kind: "answered", text: String(part.text) }]
    case "tool-call":
      return [{ kind: "called", call: String(part.id), tool: String(part.name), params: part.params }]
    case "tool-result": {
      const { id, name, isFailure, result } = part
      return [{ kind: "resulted", call: String(id), tool: String(name), isFailure: isFailure === true, result }]
    }
    default:
      return []
  }
}

/**
 * @param {{ readonly content?: unknown }} message of `effect/ai`
 * @returns {ReadonlyArray<Happening>}
 */
const outputHappenings = ({ content }) =>
  typeof content === "string"
    ? partHappenings({ type: "text", text: content })
    : Array.isArray(content)
      ? content.flatMap(partHappenings)
      : []

/** @param {unknown} value */
const array = (value) => (Array.isArray(value) ? value : [])

/**
 * @param {any} message of the inbox
 * @returns {Happening}
 */
const queued = ({ kind, id, text, source }) =>
  kind === "prompt"
    ? { kind: "said", message: id, text: String(text) }
    : { kind: "due", message: id, ids: array(source?.ids), reminders: dueReminders(String(text)) }

/**
 * What an event adds to the conversation; nothing if it is of a kind that this page does not know.
 *
 * @param {SessionEvent} event
 * @returns {ReadonlyArray<Happening>}
 */
export const happenings = (event) => {
  const data = Object(event.data)
  switch (event.type) {
    case "inbox/queued":
      return [queued(Object(data.message))]
    case "turn/started":
      return [{ kind: "started", messages: array(data.messages) }]
    case "turn/output":
      return outputHappenings(Object(data.message))
    case "turn/ended":
      return [{ kind: "ended", outcome: data.outcome, error: data.error }]
    case "schedule/change":
      return [{ kind: "rescheduled" }]
    default:
      return []
  }
}
