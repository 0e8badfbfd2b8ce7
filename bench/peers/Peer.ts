/**
 * What a queue of the field is asked to do, and how it was set up for that.
 */

export interface Peer {
  /** Name, version and what it stands on. */
  readonly name: string
  /** How it was tuned, in a few words. */
  readonly tuned: string
  /** Creates a reminder an hour away; succeeds once it is durable. */
  create(payload: object): Promise<unknown>
  /** The same for many at once, where it has a call for that. */
  createMany(payloads: ReadonlyArray<object>): Promise<unknown>
  /**
   * Creates that many reminders, all due at that instant, and answers how many milliseconds after it each was handed to
   * its handler.
   */
  herd(size: number, due: () => number): Promise<ReadonlyArray<number>>
  stop(): Promise<void>
}

/** What a herd needs to know of each of its reminders: when it came. */
export const arrivals = (size: number) => {
  const lags: Array<number> = []
  let all: () => void = () => {}
  const complete = new Promise<void>((resolve) => (all = resolve))
  return {
    lags,
    complete,
    arrive: (due: number, count: number) => {
      const lag = Date.now() - due
      for (let n = 0; n < count; n++) lags.push(lag)
      if (lags.length >= size) all()
    }
  }
}

/** How long until what was created long before an instant is due. */
export const AN_HOUR = 3_600_000
