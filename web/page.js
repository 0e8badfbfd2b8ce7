/**
 * The page: one Session of the host, its conversation and its reminders, as they are at any moment.
 */
import * as Clock from "./clock.js"
import * as Conversation from "./conversation.js"
import * as Create from "./create.js"
import { byId, write } from "./dom.js"
import * as Host from "./host.js"
import * as Prompt from "./prompt.js"
import * as Reminders from "./reminders.js"
import * as Scroll from "./scroll.js"
import * as Sessions from "./sessions.js"
import * as Token from "./token.js"
import * as Views from "./views.js"
import * as Watch from "./watch.js"

const log = byId("log")
const earlier = /** @type {HTMLButtonElement} */ (byId("earlier"))
const createDetails = /** @type {HTMLDetailsElement} */ (byId("create"))
const ranges = /** @type {HTMLFormElement} */ (byId("ranges"))

/** @type {Array<Host.SessionEvent>} */
let events = []

const conversation = Conversation.make(log)
const scroll = Scroll.make(byId("log-scroll"), byId("newest"))
const reminders = Reminders.make({
  title: byId("reminders-title"),
  list: byId("reminder-list"),
  axis: byId("axis"),
  remove: (id) => void remove(id)
})
const watch = Watch.make({
  event: (event) => take(event),
  standing: () => showStanding(),
  unread: (failure) => write(byId("reminders-failure"), isSilent(failure) ? "" : reasonOf(failure)),
  connection: (failure, retryMillis) => showConnection(failure, retryMillis)
})

// Failures are told in the host's words, in the place where they belong

/** @param {unknown} failure */
const isSilent = (failure) => failure instanceof Host.HostFailure && failure.status === 0

/** @param {unknown} failure */
const reasonOf = (failure) => {
  if (!(failure instanceof Host.HostFailure)) throw failure
  if (failure.status === 401) Token.ask()
  return failure.message
}

/**
 * Does something; a place of the page says why it failed, if it did.
 *
 * @template A
 * @param {string} place
 * @param {() => Promise<A>} action
 * @returns {Promise<A | undefined>}
 */
const attempt = async (place, action) => {
  try {
    const value = await action()
    write(byId(place), "")
    return value
  } catch (failure) {
    write(byId(place), reasonOf(failure))
    return undefined
  }
}

/** @param {Host.HostFailure | undefined} failure @param {number | undefined} retryMillis */
const showConnection = (failure, retryMillis) => {
  const place = byId("connection")
  place.classList.toggle("lost", failure !== undefined)
  if (failure === undefined) return write(place, "")
  const retry = retryMillis === undefined ? "" : "Trying again …"
  write(place, `${reasonOf(failure)} ${retry}`.trim())
}

// How it stands

const showReminders = () => {
  const timeline = watch.timeline()
  const range = /** @type {import("./axis.js").RangeName} */ (new FormData(ranges).get("range") ?? "day")
  reminders.show(timeline, conversation.isWorking(), range)
  const count = timeline?.reminders.length ?? 0
  write(byId("reminder-count"), count === 0 ? "" : String(count))
  byId("no-reminders").hidden = timeline === undefined || count > 0 || timeline.corrupt !== null
  write(byId("reminders-failure"), timeline?.corrupt ?? "")
}

const showStanding = () => {
  const session = watch.session()
  const state = watch.timeline()?.state
  document.body.dataset["state"] = state ?? "none"
  document.title = session === undefined ? "session-schedule" : `${session} · session-schedule`
  write(byId("session-title"), session ?? "A new Session")
  write(byId("session-state"), state ?? "")
  byId("session-actions").hidden = state === undefined
  byId("close").hidden = state !== "live"
  byId("cold").hidden = state !== "cold"
  byId("prompt").hidden = state === "cold"
  createDetails.hidden = state !== "live"
  byId("empty").hidden = !conversation.isEmpty()
  earlier.hidden = !watch.hasEarlier()
  Sessions.show(byId("session-list"), watch.summaries(), session)
  showReminders()
}

// The conversation

const isCaughtUp = () => (events.at(-1)?.seq ?? -1) + 1 >= (watch.timeline()?.length ?? 0)

/** @param {Host.SessionEvent} event */
const take = (event) => {
  events.push(event)
  const mayChange = conversation.add(event)
  byId("empty").hidden = true
  scroll.grown()
  if (!isCaughtUp()) return
  log.setAttribute("aria-live", "polite")
  if (mayChange) watch.lookSoon()
}

const showEarlier = async () => {
  earlier.disabled = true
  const page = await attempt("prompt-failure", watch.earlier)
  earlier.disabled = false
  if (page === undefined) return
  events = [...page, ...events]
  log.setAttribute("aria-live", "off")
  scroll.above(() => {
    conversation.clear()
    for (const event of events) conversation.add(event)
    earlier.hidden = !watch.hasEarlier()
  })
}

/** @param {string | undefined} id */
const show = (id) => {
  events = []
  log.setAttribute("aria-live", "off")
  conversation.clear()
  write(byId("prompt-failure"), "")
  watch.show(id)
  showStanding()
  scroll.toEnd()
}

/** @param {string} id */
const go = (id) => {
  history.pushState(null, "", Sessions.addressOf(id))
  Views.show("conversation")
  show(id)
}

/** @param {string} text @param {string | undefined} zone */
const send = async (text, zone) => {
  try {
    if (watch.session() === undefined) go((await Host.create()).id)
    await Host.prompt(String(watch.session()), text, zone)
    scroll.toEnd()
    return undefined
  } catch (failure) {
    const unsure = isSilent(failure) ? " It may have arrived: look before you send it again." : ""
    return `${reasonOf(failure)}${unsure}`
  }
}

// What people do

/** @param {unknown} reminder */
const create = async (reminder) => {
  try {
    const { prompt, scheduledAt } = await Host.remind(String(watch.session()), reminder)
    createDetails.open = false
    createDetails.querySelector("summary")?.focus()
    write(byId("reminders-status"), `Created: ${prompt}, ${Clock.relative(Date.parse(scheduledAt))}.`)
    await watch.look()
    return undefined
  } catch (failure) {
    return reasonOf(failure)
  }
}

/** @param {string} id */
const remove = async (id) => {
  const session = String(watch.session())
  const answer = await attempt("reminders-failure", () => Host.forget(session, id))
  if (answer === undefined) return
  write(byId("reminders-status"), answer.deleted ? "Deleted." : "It had ended before.")
  await watch.look()
}

/** @param {string} button @param {(id: string) => Promise<unknown>} action */
const onClick = (button, action) =>
  byId(button).addEventListener("click", async () => {
    const id = watch.session()
    if (id === undefined) return
    await attempt("prompt-failure", () => action(id))
    await watch.look()
  })

onClick("open", async (id) => {
  await Host.open(id)
  await watch.look()
  byId("say").focus()
})
onClick("close", Host.close)
onClick("fork", async (id) => go((await Host.fork(id, Sessions.forkName(id, watch.summaries()))).id))

Sessions.onChoice(byId("session-list"), go)
Sessions.onCreate(byId("new-session"), async (name) => {
  const header = await attempt("sessions-failure", () => Host.create(name))
  if (header === undefined) return false
  go(header.id)
  await watch.look()
  byId("say").focus()
  return true
})
Prompt.make({ form: byId("prompt"), field: byId("say"), zone: byId("zone"), failure: byId("prompt-failure"), send })
const createForm = Create.make(byId("remind"), create)
createDetails.addEventListener("toggle", () => createDetails.open && createForm.focus())
earlier.addEventListener("click", () => void showEarlier())
ranges.addEventListener("change", showReminders)

const asked = () => new URLSearchParams(location.search).get("session") || undefined

addEventListener("popstate", () => show(asked()))
document.addEventListener("visibilitychange", () => watch.lookSoon())
setInterval(reminders.tick, 1_000)
await watch.look()
show(asked() ?? Sessions.preferred(watch.summaries()))
