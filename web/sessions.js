/**
 * The Sessions of the host, to choose from: those that are live, and those that only keep their reminders.
 */
import * as Clock from "./clock.js"
import { element } from "./dom.js"

/** @typedef {import("./host.js").SessionSummary} SessionSummary */

/** More than these would be no list that anyone reads; the others have their address. */
const SHOWN = 100

/** @param {SessionSummary} summary */
const detail = ({ activeReminders, nextTarget, corrupt }) => {
  if (corrupt !== null || activeReminders === null) return "reminders can't be read"
  if (nextTarget === null) return "no reminders"
  const count = activeReminders === 1 ? "1 reminder" : `${activeReminders} reminders`
  const next = Date.parse(nextTarget)
  const day = Clock.day(next)
  return next <= Clock.now() ? `${count}, overdue` : `${count}, next ${day === "today" ? Clock.time(next) : day}`
}

/**
 * The address of a Session's page.
 *
 * @param {string} id
 */
export const addressOf = (id) => `?session=${encodeURIComponent(id)}`

/** @param {SessionSummary} summary @param {string | undefined} current */
const item = (summary, current) =>
  element(
    "li",
    {},
    element(
      "a",
      {
        href: addressOf(summary.id),
        "data-session": summary.id,
        "aria-current": summary.id === current ? "page" : undefined
      },
      element("span", { class: `dot ${summary.state}`, title: summary.state }),
      element("b", {}, summary.id),
      element("small", {}, element("span", { class: "hidden" }, `${summary.state}, `), detail(summary)),
      summary.parentId !== undefined && element("small", {}, `fork of ${summary.parentId}`)
    )
  )

/**
 * @param {HTMLElement} list
 * @param {ReadonlyArray<SessionSummary>} summaries in the order of their creation
 * @param {string | undefined} current
 */
export const show = (list, summaries, current) => {
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset["session"] : undefined
  const newest = summaries.toReversed()
  const shown = newest.filter(({ id }, place) => place < SHOWN || id === current)
  const rest = newest.length - shown.length
  list.replaceChildren(...shown.map((summary) => item(summary, current)))
  if (rest > 0) list.append(element("li", { class: "rest" }, `and ${rest} older ones`))
  const again = focused === undefined ? null : list.querySelector(`[data-session="${CSS.escape(focused)}"]`)
  if (again instanceof HTMLElement) again.focus()
}

/**
 * `choose` is handed the Session whose link is followed in this tab.
 *
 * @param {HTMLElement} list
 * @param {(id: string) => void} choose
 */
export const onChoice = (list, choose) =>
  list.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null
    const id = link?.dataset["session"]
    if (id === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    choose(id)
  })

/**
 * `create` is handed the name of a new Session, if it has one, and answers whether there is one now.
 *
 * @param {HTMLFormElement} form
 * @param {(name: string | undefined) => Promise<boolean>} create
 */
export const onCreate = (form, create) =>
  form.addEventListener("submit", async (event) => {
    event.preventDefault()
    const name = String(new FormData(form).get("id")).trim()
    if (await create(name === "" ? undefined : name)) form.reset()
  })

/**
 * What to show when nobody says: a live Session before a cold one, a new one before an old one.
 *
 * @param {ReadonlyArray<SessionSummary>} summaries
 */
export const preferred = (summaries) => (summaries.findLast(({ state }) => state === "live") ?? summaries.at(-1))?.id

/**
 * A free name for a fork.
 *
 * @param {string} parent
 * @param {ReadonlyArray<SessionSummary>} summaries
 */
export const forkName = (parent, summaries) => {
  const taken = new Set(summaries.map(({ id }) => id))
  const base = `${parent.replace(/-fork(?:-\d+)?$/u, "").slice(0, 110)}-fork`
  let name = base
  for (let number = 2; taken.has(name); number++) name = `${base}-${number}`
  return name
}
