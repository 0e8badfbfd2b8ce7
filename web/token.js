/**
 * The token that a host may ask for before it answers anything.
 */
import { byId } from "./dom.js"
import * as Host from "./host.js"

const dialog = /** @type {HTMLDialogElement} */ (byId("token"))
const field = /** @type {HTMLInputElement} */ (byId("token-value"))

/** Asks for the token; the page begins anew with it. */
export const ask = () => {
  if (!dialog.open) dialog.showModal()
}

dialog.addEventListener("close", () => {
  if (field.value === "") return
  Host.authorize(field.value)
  location.reload()
})
