/**
 * The field in which people say something.
 */
import { write } from "./dom.js"
import * as Clock from "./clock.js"

/**
 * `send` is handed what is said, and the zone of the browser at that moment; it answers why it was not taken.
 *
 * @param {{ form: HTMLFormElement, field: HTMLTextAreaElement, zone: HTMLElement, failure: HTMLElement,
 *   send: (text: string, zone: string | undefined) => Promise<string | undefined> }} options
 */
export const make = ({ form, field, zone, failure, send }) => {
  let isSending = false
  const showZone = () => write(zone, Clock.zone() ?? "no zone that this browser knows: name one")

  form.addEventListener("submit", async (event) => {
    event.preventDefault()
    const text = field.value
    if (text.trim() === "" || isSending) return
    isSending = true
    write(failure, "")
    const refusal = await send(text, Clock.zone())
    isSending = false
    write(failure, refusal ?? "")
    if (refusal === undefined && field.value === text) field.value = ""
  })

  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return
    event.preventDefault()
    form.requestSubmit()
  })
  field.addEventListener("focus", showZone)
  showZone()
}
