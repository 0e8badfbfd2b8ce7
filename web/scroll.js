/**
 * Keeps the end of the conversation in sight for who reads there, and leaves alone who reads further up.
 */

/** So near to the end, in pixels, people read there. */
const NEAR = 80

/**
 * @param {HTMLElement} scroller
 * @param {HTMLElement} newest a button that is shown while there is something new further down
 */
export const make = (scroller, newest) => {
  let wasAtEnd = true
  const isAtEnd = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR
  const toEnd = () => {
    scroller.scrollTop = scroller.scrollHeight
    newest.hidden = true
  }
  scroller.addEventListener("scroll", () => {
    wasAtEnd = isAtEnd()
    if (wasAtEnd) newest.hidden = true
  })
  newest.addEventListener("click", toEnd)
  new ResizeObserver(() => wasAtEnd && toEnd()).observe(scroller)

  return {
    toEnd,
    /** Something was added at the end. */
    grown: () => {
      if (wasAtEnd) toEnd()
      else newest.hidden = false
    },
    /**
     * Keeps what is in sight where it is while something is added above it.
     *
     * @param {() => void} add
     */
    above: (add) => {
      const distance = scroller.scrollHeight - scroller.scrollTop
      add()
      scroller.scrollTop = scroller.scrollHeight - distance
    }
  }
}
