/**
 * The three views of the page: on a phone one is shown at a time, on a desk all of them.
 */

/** @returns {ReadonlyArray<HTMLButtonElement>} */
const buttons = () =>
  [...document.querySelectorAll(".views button")].filter((button) => button instanceof HTMLButtonElement)

/** @param {string} view */
export const show = (view) => {
  document.body.dataset["view"] = view
  for (const button of buttons()) button.setAttribute("aria-pressed", String(button.dataset["view"] === view))
}

for (const button of buttons()) button.addEventListener("click", () => show(button.dataset["view"] ?? "conversation"))
