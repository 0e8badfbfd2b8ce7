/**
 * How long one call takes that is too short to be timed alone.
 */
import { interleave } from "./Rounds.ts"

/** One call; the number tells calls apart, so that they need not ask the same question. */
export type Call = (n: number) => unknown

/** What calls answer ends here, so that none of them can be left out. */
let sink: unknown

const time = (call: Call, calls: number): number => {
  const begun = performance.now()
  for (let n = 0; n < calls; n++) sink = call(n)
  return performance.now() - begun
}

/** How many calls fill that time, found after they are warm. */
const callsIn = (call: Call, millis: number): number => {
  let calls = 16
  while (time(call, calls) < millis / 4) calls *= 2
  return Math.max(16, Math.round((calls * millis) / Math.max(time(call, calls), 0.001)))
}

/** Microseconds of one call of each contender, once for each round. */
export const microseconds = async <Who extends string>(
  contenders: Readonly<Record<Who, Call>>,
  { rounds, millis }: { readonly rounds: number; readonly millis: number }
): Promise<Record<Who, Array<number>>> => {
  const timed = Object.entries<Call>(contenders).map(([who, call]) => {
    const calls = callsIn(call, millis)
    return [who, () => (time(call, calls) * 1_000) / calls] as const
  })
  const samples = await interleave(Object.fromEntries(timed) as Record<Who, () => number>, rounds)
  if (sink === timed) throw new Error("unreachable")
  return samples
}
