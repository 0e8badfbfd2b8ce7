/**
 * What is made of samples.
 */

/** The value that so much (0 to 1) of the samples do not exceed. */
export const percentile = (samples: ReadonlyArray<number>, part: number): number => {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

export const median = (samples: ReadonlyArray<number>): number => {
  const sorted = samples.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const [low = Number.NaN, high = Number.NaN] = [sorted[(sorted.length - 1) >> 1], sorted[middle]]
  return (low + high) / 2
}
