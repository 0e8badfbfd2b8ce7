/**
 * The conversation on the page: what was said, called, due and answered, as it happens.
 */
import * as Clock from "./clock.js"
import { element } from "./dom.js"
import { happenings } from "./transcript.js"

/**
 * @typedef {import("./transcript.js").Happening} Happening
 * @typedef {import("./host.js").SessionEvent} SessionEvent
 */

/** @param {string} at */
const timeOf = (at) => {
  const instant = Date.parse(at)
  return element("time", { datetime: at, title: Clock.inFull(instant) }, Clock.time(instant))
}

/**
 * @param {string} kind
 * @param {string} speaker
 * @param {string} at
 * @param {...import("./dom.js").Child} content
 */
const bubble = (kind, speaker, at, ...content) =>
  element(
    "article",
    { class: `message ${kind}` },
    element("header", {}, element("span", { class: "speaker" }, speaker), timeOf(at)),
    ...content
  )

/** @param {string} text */
const paragraph = (text) => element("p", {}, text)

/** @param {Extract<Happening, { kind: "due" }>} due @param {string} at */
const dueBubble = ({ ids, reminders }, at) =>
  bubble(
    "due",
    reminders.length > 1 ? "Reminders due" : "Reminder due",
    at,
    ...(reminders.length === 0 ? [paragraph(ids.join(", "))] : reminders.map(dueLine))
  )

/** @param {import("./transcript.js").DueReminder} reminder */
const dueLine = ({ prompt, lateSeconds, occurrenceAt }) => {
  const instant = Date.parse(occurrenceAt)
  const late = lateSeconds > 0 && !Number.isNaN(instant)
  return element(
    "p",
    {},
    prompt,
    late &&
      element(
        "small",
        {},
        ` was due ${Clock.day(instant)} ${Clock.time(instant)}, ${Clock.duration(lateSeconds * 1_000)} late`
      )
  )
}

/** @param {unknown} value */
const pretty = (value) => element("pre", {}, JSON.stringify(value, undefined, 2) ?? "")

/**
 * What a call of one of our tools came to, in a few words.
 *
 * @param {Extract<Happening, { kind: "resulted" }>} happening
 */
const outcome = ({ isFailure, result }) => {
  const { id, code, deleted } = Object(result)
  if (isFailure) return `refused: ${String(code ?? "failed")}`
  if (Array.isArray(result)) return `${result.length} found`
  if (deleted === false) return `${String(id)}: ${String(code)}`
  return typeof id === "string" ? id : "done"
}

/** @param {Extract<Happening, { kind: "called" }>} call */
const callElement = ({ tool, params }) =>
  element("details", { class: "call" }, element("summary", {}, element("code", {}, tool)), pretty(params))

/** @param {HTMLElement} call @param {Extract<Happening, { kind: "resulted" }>} happening */
const complete = (call, happening) => {
  call.classList.toggle("failed", happening.isFailure)
  call.querySelector("summary")?.append(element("span", { class: "outcome" }, outcome(happening)))
  call.append(pretty(happening.result))
}

/** @param {Extract<Happening, { kind: "ended" }>} ended */
const endNote = ({ outcome, error }) => {
  if (outcome === "failed") return `This turn failed. ${error ?? ""}`
  return outcome === "interrupted" ? "This turn was cut off when the host stopped." : undefined
}

/**
 * @param {HTMLElement} log
 */
export const make = (log) => {
  /** @type {Map<number, HTMLElement>} */
  const waiting = new Map()
  /** @type {Map<string, HTMLElement>} */
  const calls = new Map()
  const thinking = element("p", { class: "thinking" }, element("span", {}, "The agent is at work"))
  let working = false
  let lastDay = ""

  /** @param {HTMLElement} shown */
  const show = (shown) => (working ? thinking.before(shown) : log.append(shown))

  /** @param {string} at */
  const showDay = (at) => {
    const day = Clock.date(Date.parse(at))
    if (day !== lastDay) show(element("p", { class: "day" }, day))
    lastDay = day
  }

  /** @param {boolean} value */
  const setWorking = (value) => {
    working = value
    if (value) log.append(thinking)
    else thinking.remove()
  }

  /** @param {number} id @param {HTMLElement} message */
  const showWaiting = (id, message) => {
    message.classList.add("waiting")
    waiting.set(id, message)
    show(message)
  }

  /** @param {Happening} happening @param {string} at */
  const render = (happening, at) => {
    switch (happening.kind) {
      case "said":
        return showWaiting(happening.message, bubble("said", "You", at, paragraph(happening.text)))
      case "due":
        return showWaiting(happening.message, dueBubble(happening, at))
      case "started":
        for (const id of happening.messages) waiting.get(id)?.classList.remove("waiting")
        return setWorking(true)
      case "answered":
        return show(bubble("answered", "Agent", at, paragraph(happening.text)))
      case "called": {
        const call = callElement(happening)
        calls.set(happening.call, call)
        return show(call)
      }
      case "resulted": {
        const call = calls.get(happening.call)
        return call === undefined ? undefined : complete(call, happening)
      }
      case "ended": {
        setWorking(false)
        const note = endNote(happening)
        return note === undefined ? undefined : show(element("p", { class: "note" }, note))
      }
    }
  }

  return {
    /** Whether a turn runs, as far as the events tell. */
    isWorking: () => working,
    isEmpty: () => log.childElementCount === 0,
    clear: () => {
      waiting.clear()
      calls.clear()
      working = false
      lastDay = ""
      log.replaceChildren()
    },
    /**
     * Shows one more event; answers whether the Session's standing may be another one by it.
     *
     * @param {SessionEvent} event
     */
    add: (event) => {
      const all = happenings(event)
      for (const happening of all) {
        if (["said", "due", "answered"].includes(happening.kind)) showDay(event.at)
        render(happening, event.at)
      }
      return all.some(({ kind }) => ["rescheduled", "started", "ended"].includes(kind))
    }
  }
}
