/**
 * Elements, built so that whatever anyone wrote can only ever be text.
 */

/** @typedef {Node | string | null | false | undefined} Child */

/**
 * An element with attributes, listeners (functions, by the event's name) and children; strings become text.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export const element = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value)
    else if (value === true) made.setAttribute(name, "")
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, String(value))
  }
  made.append(...present(children))
  return made
}

/**
 * The children that are there.
 *
 * @param {ReadonlyArray<Child>} children
 */
export const present = (children) =>
  children.flatMap((child) => (child === null || child === undefined || child === false || child === "" ? [] : [child]))

/**
 * The element of the page with that id.
 *
 * @template {Element} [E=HTMLElement]
 * @param {string} id
 * @returns {E}
 */
export const byId = (id) => {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The page has no #${id}`)
  return /** @type {E} */ (/** @type {unknown} */ (found))
}

/**
 * Writes text where it differs, so that nothing is announced, selected or drawn anew that stayed the same.
 *
 * @param {Element} target
 * @param {string} text
 */
export const write = (target, text) => {
  if (target.textContent !== text) target.textContent = text
}
