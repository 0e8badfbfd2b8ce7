/**
 * What may never come, such as the last of many messages.
 */

/** The promise, or a failure after so many milliseconds, which tells how far it got. */
export const within = async <A>(millis: number, promise: Promise<A>, soFar: () => string): Promise<A> => {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`Not done after ${millis} ms: ${soFar()}`)), millis)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
