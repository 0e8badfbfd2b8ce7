/**
 * One Session as it is at any moment: its events as they come, and its standing, looked at whenever it may have changed.
 */
import { OCCURRENCES } from "./axis.js"
import * as Clock from "./clock.js"
import * as Host from "./host.js"
import * as Stream from "./stream.js"

/** How many events are shown at first, and how many more at each wish. */
const PAGE = 200
/** How long nothing is looked at when nothing tells of a change, in milliseconds. */
const LOOK = 30_000
/** What happens together is looked at once, so many milliseconds later. */
const SOON = 50

/**
 * @typedef {object} Listener
 * @property {(event: Host.SessionEvent) => void} event
 * @property {() => void} standing the timeline or the list of Sessions was read
 * @property {(failure: unknown) => void} unread they could not be read
 * @property {(failure: Host.HostFailure | undefined, retryMillis?: number) => void} connection how it is
 */

/** @param {Host.Timeline | undefined} timeline */
const nextTarget = (timeline) => {
  const targets = (timeline?.reminders ?? []).map(({ reminder }) => Date.parse(reminder.scheduledAt))
  return Math.min(...targets.filter((target) => target > Clock.now()))
}

/** @param {Listener} listener */
export const make = (listener) => {
  /** @type {string | undefined} */
  let session
  /** @type {Host.Timeline | undefined} */
  let timeline
  /** @type {ReadonlyArray<Host.SessionSummary>} */
  let summaries = []
  /** The first place of the log that is shown. */
  let first = 0
  let unfollow = () => {}
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer

  /** When the next look is, by the page's own clock. */
  let lookAt = Number.POSITIVE_INFINITY

  /**
   * What asks for an early look while another is under way must get it.
   *
   * @param {number} millis
   */
  const lookIn = (millis) => {
    const at = performance.now() + millis
    if (at >= lookAt) return
    clearTimeout(timer)
    lookAt = at
    timer = setTimeout(() => {
      lookAt = Number.POSITIVE_INFINITY
      if (!document.hidden) void look()
    }, millis)
  }

  /** Reads the standing of the Session that is shown, unless another one is by then. */
  const readTimeline = async () => {
    const asked = session
    if (asked === undefined) return
    const found = await Host.timeline(asked, OCCURRENCES)
    // Answers can overtake each other, and an older one must not hide what is known already.
    if (asked !== session || found.length < (timeline?.length ?? 0)) return
    timeline = found
    Clock.synchronize(found.now)
  }

  /** Looks at everything now, and again when it is due to change. */
  const look = async () => {
    clearTimeout(timer)
    lookAt = Number.POSITIVE_INFINITY
    try {
      ;[summaries] = await Promise.all([Host.sessions(), readTimeline()])
      listener.standing()
    } catch (failure) {
      listener.unread(failure)
    }
    lookIn(Math.min(LOOK, Math.max(nextTarget(timeline) - Clock.now(), 0) + 5 * SOON))
  }

  const begin = async () => {
    await readTimeline()
    first = Math.max((timeline?.length ?? 0) - PAGE, 0)
    listener.standing()
    return first
  }

  return {
    session: () => session,
    timeline: () => timeline,
    summaries: () => summaries,
    look,
    lookSoon: () => lookIn(SOON),
    /** Whether there are events before those that are shown. */
    hasEarlier: () => first > 0,
    /** Events before those that are shown. */
    earlier: async () => {
      const asked = session
      if (asked === undefined) return []
      const from = Math.max(first - PAGE, 0)
      const { events } = await Host.transcript(asked, from, first - from)
      if (asked !== session) return []
      first = from
      return events
    },
    /**
     * Shows another Session, or none.
     *
     * @param {string | undefined} id
     */
    show: (id) => {
      unfollow()
      session = id
      timeline = undefined
      first = 0
      listener.connection(undefined)
      unfollow =
        id === undefined
          ? () => {}
          : Stream.follow(id, begin, {
              event: listener.event,
              connected: () => {
                listener.connection(undefined)
                lookIn(SOON)
              },
              disconnected: listener.connection
            })
    }
  }
}
