/**
 * Rounds in which all contenders take turns, so that the noise of the machine hits all of them alike.
 */

/** Does its work once, and answers what it took or managed. */
export type Contender = () => number | Promise<number>

/** The samples of each contender, round by round after one to warm up; whoever begins is another each time. */
export const interleave = async <Who extends string>(
  contenders: Readonly<Record<Who, Contender>>,
  rounds: number
): Promise<Record<Who, Array<number>>> => {
  const names = Object.keys(contenders) as Array<Who>
  const samples = Object.fromEntries(names.map((who) => [who, [] as Array<number>])) as Record<Who, Array<number>>
  for (let round = -1; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const who = names[(round + 1 + turn) % names.length] as Who
      globalThis.gc?.()
      const sample = await contenders[who]()
      if (round >= 0) samples[who].push(sample)
    }
  }
  return samples
}
