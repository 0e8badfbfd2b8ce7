/**
 * The active reminders on their time line: when each comes, by what rule, and what it waits for.
 */
import * as Axis from "./axis.js"
import * as Clock from "./clock.js"
import { element, present, write } from "./dom.js"
import * as Rule from "./rule.js"

/**
 * @typedef {import("./host.js").TimelineEntry} TimelineEntry
 * @typedef {import("./host.js").Timeline} Timeline
 */

/** How many occurrences are named in words. */
const NAMED = 3

/** @param {TimelineEntry} entry */
const target = ({ reminder }) => Date.parse(reminder.scheduledAt)

/** @param {TimelineEntry} entry */
const isOverdue = (entry) => target(entry) <= Clock.now()

/**
 * Two spellings of one zone are the same to the browser.
 *
 * @param {string} zone
 */
const canonical = (zone) => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    return zone
  }
}

/** @param {string} instant @param {string} text */
const timeElement = (instant, text) =>
  element("time", { datetime: instant, title: Clock.inFull(Date.parse(instant)) }, text)

/**
 * What an overdue reminder waits for.
 *
 * @param {Timeline["state"]} state
 * @param {boolean} isWorking
 */
const waitsFor = (state, isWorking) => {
  if (state === "cold") return "Waits until this Session is opened."
  return isWorking ? "Waits until the agent is idle." : "Is about to be delivered."
}

/** @param {TimelineEntry} entry */
const following = (entry) => entry.occurrences.filter(({ instant }) => Date.parse(instant) > target(entry))

/**
 * What a rule's own clocks show, where they are not the browser's.
 *
 * @param {TimelineEntry} entry
 */
const elsewhere = ({ reminder, occurrences }) => {
  const [next] = occurrences
  const here = Clock.zone()
  if (!("timeZone" in reminder) || next?.local == null || here === undefined) return ""
  return canonical(reminder.timeZone) === canonical(here) ? "" : `${next.local.slice(11, 16)} there`
}

/** @param {TimelineEntry} entry */
const ruleElement = (entry) => {
  const { reminder } = entry
  const there = elsewhere(entry)
  return element(
    "p",
    { class: "rule" },
    Rule.words(reminder),
    "expression" in reminder && element("code", {}, reminder.expression),
    "timeZone" in reminder && element("span", { class: "zone" }, reminder.timeZone, there !== "" && ` · ${there}`)
  )
}

/**
 * What comes after the target, day by day: `then today 18:00, 19:30 · tomorrow 09:00`.
 *
 * @param {TimelineEntry} entry
 */
const thenElement = (entry) => {
  const named = following(entry).slice(0, NAMED)
  if (named.length === 0) return undefined
  const days = Map.groupBy(named, ({ instant }) => Clock.day(Date.parse(instant)))
  const told = [...days].map(([day, occurrences]) =>
    element(
      "span",
      {},
      `${day} `,
      ...occurrences.flatMap(({ instant }, place) => [
        place > 0 && ", ",
        timeElement(instant, Clock.time(Date.parse(instant)))
      ])
    )
  )
  return element("p", { class: "then" }, "then", ...told)
}

/**
 * One occurrence, or a run of them that come too close to be told apart.
 *
 * @param {string} kind
 * @param {number} place
 * @param {number} [end]
 */
const mark = (kind, place, end) => {
  const made = element("i", { class: `mark ${kind}` })
  made.style.left = `${place * 100}%`
  if (end !== undefined) made.style.width = `${(end - place) * 100}%`
  return made
}

/** Marks closer than this part of the time line are drawn as a run. */
const CLOSE = 0.025

/**
 * @param {ReadonlyArray<number>} places ascending
 * @returns {ReadonlyArray<readonly [number, number]>} runs, each from its first to its last place
 */
const runsOf = (places) => {
  /** @type {Array<[number, number]>} */
  const runs = []
  for (const place of places) {
    const last = runs.at(-1)
    if (last !== undefined && place - last[1] < CLOSE) last[1] = place
    else runs.push([place, place])
  }
  return runs
}

/**
 * @param {TimelineEntry} entry
 * @param {Axis.Range} range
 */
const marks = (entry, range) => {
  const first = Axis.place(range, target(entry))
  const places = following(entry).map(({ instant }) => Axis.place(range, Date.parse(instant)))
  const isCut = places.length >= Axis.OCCURRENCES - 1 && (places.at(-1) ?? 1) < 1
  const runs = runsOf(places.filter((place) => place < 1)).map(([from, to], place, { length }) =>
    isCut && place === length - 1 ? [from, 1] : [from, to]
  )
  return [
    ...runs.map(([from = 0, to = from]) => (from === to ? mark("later", from) : mark("run", from, to))),
    ...(first < 1 ? [mark(first <= 0 ? "late" : "next", Math.max(first, 0))] : [])
  ]
}

/**
 * @param {TimelineEntry} entry
 * @param {Axis.Range} range
 */
const laneElement = (entry, range) => {
  const ticks = Axis.ticks(range).map(({ at, isDay }) => mark(isDay ? "tick midnight" : "tick", Axis.place(range, at)))
  const isBeyond = Axis.place(range, target(entry)) >= 1
  return element(
    "div",
    { class: "lane", "aria-hidden": "true" },
    element("div", {}, ...ticks, ...marks(entry, range)),
    isBeyond && element("span", { class: "beyond" }, `${Clock.day(target(entry))} →`)
  )
}

/**
 * A button that acts when it is pressed twice, so that nothing is lost by a slip.
 *
 * @param {string} prompt
 * @param {() => void} act
 */
const deleteButton = (prompt, act) => {
  const button = element(
    "button",
    { type: "button", class: "delete", "aria-label": `Delete reminder: ${prompt}` },
    "Delete"
  )
  const arm = (/** @type {boolean} */ armed) => {
    button.classList.toggle("armed", armed)
    button.setAttribute("aria-label", `${armed ? "Really delete" : "Delete"} reminder: ${prompt}`)
    write(button, armed ? "Really?" : "Delete")
  }
  button.addEventListener("click", () => (button.classList.contains("armed") ? act() : arm(true)))
  button.addEventListener("blur", () => arm(false))
  return button
}

/** @param {string} id @param {string} prompt @param {(id: string) => void} remove */
const makeRow = (id, prompt, remove) => {
  const clock = element("b")
  const seconds = element("small")
  const date = element("span", { class: "date" })
  const left = element("span", { class: "left" })
  const body = element("div", { class: "body" })
  const actions = deleteButton(prompt, () => remove(id))
  const row = element(
    "li",
    { "data-id": id },
    element("p", { class: "when" }, element("span", {}, clock, seconds), date, left),
    element("div", { class: "what" }, element("h3", {}, prompt), actions),
    body
  )

  /**
   * What the passing of time changes.
   *
   * @param {TimelineEntry} entry
   */
  const tick = (entry) => {
    const overdue = isOverdue(entry)
    row.classList.toggle("overdue", overdue)
    write(left, overdue ? `due ${Clock.relative(target(entry))}` : Clock.relative(target(entry)))
  }

  /**
   * @param {TimelineEntry} entry
   * @param {Axis.Range} range
   * @param {string} waits what for, if it is overdue
   */
  const update = (entry, range, waits) => {
    write(clock, Clock.time(target(entry)))
    write(seconds, Clock.seconds(target(entry)))
    write(date, Clock.day(target(entry)))
    tick(entry)
    const notes = entry.notes.map((note) => element("p", { class: "rule-note" }, note))
    const isWaiting = isOverdue(entry) && element("p", { class: "waits" }, waits)
    body.replaceChildren(
      ...present([ruleElement(entry), isWaiting, laneElement(entry, range), thenElement(entry), ...notes])
    )
  }
  return { row, update, tick }
}

/** Labels nearer than this to either end of the axis would overlap what is there. */
const MARGIN = 0.12

/** @param {Axis.Range} range */
const axisLabels = (range) =>
  Axis.ticks(range)
    .map((tick) => ({ ...tick, place: Axis.place(range, tick.at) }))
    .filter(({ label, place }) => label !== "" && place > MARGIN && place < 1 - MARGIN / 4)
    .map(({ label, isDay, place }) => {
      const shown = element("span", { class: isDay ? "midnight" : "" }, label)
      shown.style.left = `${place * 100}%`
      return shown
    })

/**
 * @param {{ title: HTMLElement, list: HTMLElement, axis: HTMLElement, remove: (id: string) => void }} options
 */
export const make = ({ title, list, axis, remove }) => {
  /** @type {Map<string, ReturnType<typeof makeRow> & { entry: TimelineEntry }>} */
  const rows = new Map()

  /** @param {TimelineEntry} entry */
  const rowOf = (entry) => {
    const { id, prompt } = entry.reminder
    const row = rows.get(id) ?? { ...makeRow(id, prompt, remove), entry }
    row.entry = entry
    rows.set(id, row)
    return row
  }

  /**
   * Whoever uses the keyboard is not sent back to the beginning of the page by a reminder that ends.
   *
   * @param {HTMLElement} row
   */
  const focusNear = (row) => {
    const near = (row.nextElementSibling ?? row.previousElementSibling)?.querySelector("button") ?? title
    near.focus()
  }

  /** @param {ReadonlyArray<TimelineEntry>} entries */
  const drop = (entries) => {
    const kept = new Set(entries.map(({ reminder }) => reminder.id))
    for (const [id, { row }] of rows) {
      if (kept.has(id)) continue
      if (row.contains(document.activeElement)) focusNear(row)
      row.remove()
      rows.delete(id)
    }
  }

  return {
    /**
     * Shows the reminders as they stand, those that come first on top.
     *
     * @param {Timeline | undefined} timeline
     * @param {boolean} isWorking whether a turn runs
     * @param {Axis.RangeName} rangeName
     */
    show: (timeline, isWorking, rangeName) => {
      const range = Axis.ranges[rangeName]
      const entries = timeline?.reminders.toSorted((a, b) => target(a) - target(b)) ?? []
      drop(entries)
      entries.forEach((entry, place) => {
        const { row, update } = rowOf(entry)
        update(entry, range, waitsFor(timeline?.state ?? "cold", isWorking))
        if (list.children[place] !== row) list.insertBefore(row, list.children[place] ?? null)
      })
      axis.hidden = entries.length === 0
      axis.replaceChildren(element("span", { class: "now" }, "now"), ...axisLabels(range))
    },
    /** Lets time pass on the page. */
    tick: () => {
      for (const { entry, tick } of rows.values()) tick(entry)
    }
  }
}
