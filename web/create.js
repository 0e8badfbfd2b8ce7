/**
 * The form that creates a reminder by hand: what, and when, by one of six selectors.
 */
import * as Clock from "./clock.js"
import { element } from "./dom.js"

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

/** @param {string} label @param {HTMLElement} field */
const labelled = (label, field) => element("label", { class: "field" }, element("span", {}, label), field)

/** @param {string} name @param {string} value @param {Record<string, string | number>} [attributes] */
const input = (name, value, attributes = {}) => element("input", { name, value, autocomplete: "off", ...attributes })

/** @param {ReadonlyArray<readonly [string, number]>} units @param {string} chosen */
const unitSelect = (units, chosen) =>
  element(
    "select",
    { name: "unit", "aria-label": "Unit" },
    ...units.map(([name, seconds]) => element("option", { value: seconds, selected: name === chosen }, name))
  )

/** @type {ReadonlyArray<readonly [string, number]>} */
const DELAYS = [
  ["seconds", 1],
  ["minutes", 60],
  ["hours", 3_600],
  ["days", 86_400]
]

/** @param {string} value @param {string} unit */
const amount = (value, unit) =>
  element(
    "span",
    { class: "pair" },
    input("amount", value, { inputmode: "numeric", size: 5, "aria-label": "How many" }),
    unitSelect(DELAYS, unit)
  )

const zoneField = () => labelled("Zone", input("zone", Clock.zone() ?? "UTC", { list: "zones", spellcheck: "false" }))

const timeField = () => labelled("Time", input("time", "09:00", { type: "time" }))

const dateField = () => {
  const now = new Date(Clock.now())
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000)
  return labelled("Date", input("date", local.toISOString().slice(0, 10), { type: "date" }))
}

const weekdayFields = () =>
  element(
    "fieldset",
    { class: "weekdays" },
    element("legend", {}, "Weekdays"),
    element(
      "div",
      {},
      ...WEEKDAYS.map((name, place) => {
        const box = { type: "checkbox", name: "weekday", value: place + 1, checked: place < 5, "aria-label": name }
        const shown = element("span", { "aria-hidden": "true" }, name.slice(0, 2))
        return element("label", { title: name }, element("input", box), shown)
      })
    )
  )

/**
 * A time as the API reads it.
 *
 * @param {unknown} time
 */
const withSeconds = (time) => (/^\d\d:\d\d$/u.test(String(time)) ? `${String(time)}:00` : String(time))

/** @param {FormData} form */
const seconds = (form) => Number(form.get("amount")) * Number(form.get("unit"))

/** @param {FormData} form */
const local = (form) => ({ time: withSeconds(form.get("time")), time_zone: String(form.get("zone")) })

/**
 * The selectors: how each is called, what it asks for, and what it makes of that. What is wrong is for the host to say.
 *
 * @type {Readonly<Record<string, { label: string, fields: () => ReadonlyArray<HTMLElement>, rule: (form: FormData) => unknown }>>}
 */
const selectors = {
  after_seconds: { label: "In", fields: () => [amount("10", "minutes")], rule: seconds },
  at: {
    label: "At",
    fields: () => [dateField(), timeField(), zoneField()],
    rule: (form) => ({ date: String(form.get("date")), ...local(form) })
  },
  every_seconds: { label: "Every", fields: () => [amount("1", "hours")], rule: seconds },
  daily: { label: "Daily", fields: () => [timeField(), zoneField()], rule: local },
  weekly: {
    label: "Weekly",
    fields: () => [weekdayFields(), timeField(), zoneField()],
    rule: (form) => ({ ...local(form), weekdays: form.getAll("weekday").map(Number) })
  },
  cron: {
    label: "Cron",
    fields: () => [
      labelled("Expression", input("expression", "0 9 * * MON-FRI", { spellcheck: "false" })),
      zoneField()
    ],
    rule: (form) => ({ expression: String(form.get("expression")), time_zone: String(form.get("zone")) })
  }
}

const zones = () =>
  element(
    "datalist",
    { id: "zones" },
    ...["UTC", ...Intl.supportedValuesOf("timeZone")].map((value) => element("option", { value }))
  )

const chooser = () =>
  element(
    "fieldset",
    {},
    element("legend", {}, "When"),
    element(
      "div",
      { class: "pills" },
      ...Object.entries(selectors).map(([name, { label }], place) => {
        const radio = { type: "radio", name: "selector", value: name, checked: place === 0 }
        return element("label", {}, element("input", radio), element("span", {}, label))
      })
    )
  )

/**
 * Fills the form. `create` is handed the arguments of a new reminder, and answers why it was not created.
 *
 * @param {HTMLFormElement} form
 * @param {(reminder: unknown) => Promise<string | undefined>} create
 */
export const make = (form, create) => {
  const what = input("prompt", "", { placeholder: "Stretch" })
  const details = element("div", { class: "details" })
  const failure = element("p", { class: "failure", role: "alert" })
  const submit = element("button", { type: "submit", class: "primary" }, "Create")
  form.append(labelled("Remind me to", what), chooser(), details, failure, submit, zones())

  const selector = () => selectors[String(new FormData(form).get("selector"))] ?? selectors["after_seconds"]
  const showFields = () => details.replaceChildren(...(selector()?.fields() ?? []))
  form.addEventListener("change", (event) => {
    if (event.target instanceof HTMLInputElement && event.target.name === "selector") showFields()
  })
  form.addEventListener("submit", async (event) => {
    event.preventDefault()
    const data = new FormData(form)
    const rule = selector()?.rule(data)
    failure.replaceChildren()
    submit.disabled = true
    const refusal = await create({ prompt: what.value, [String(data.get("selector"))]: rule })
    submit.disabled = false
    failure.replaceChildren(refusal ?? "")
    if (refusal === undefined) what.value = ""
  })
  showFields()
  return { focus: () => what.focus() }
}
