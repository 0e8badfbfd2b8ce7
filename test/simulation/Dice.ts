/** Chance that follows from a seed alone, so that every history can be played again. */

export interface Dice {
  /** A number from 0 up to, but not including, 1. */
  next(): number
  /** A whole number from 0 up to, but not including, `sides`. */
  below(sides: number): number
  /** A whole number from one up to another, both included. */
  between(least: number, most: number): number
  /** Whether something happens that has this probability. */
  chance(probability: number): boolean
  pick<A>(from: ReadonlyArray<A>): A
}

/** The generator mulberry32, over seeds that are mixed into one. */
const numbers = (seeds: ReadonlyArray<number>): (() => number) => {
  let state = seeds.reduce((mixed, seed) => Math.imul(mixed ^ seed, 0x9e3779b1) ^ (mixed >>> 15), 0x2545f491)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

export const make = (...seeds: ReadonlyArray<number>): Dice => {
  const next = numbers(seeds)
  const below = (sides: number) => Math.floor(next() * sides)
  return {
    next,
    below,
    between: (least, most) => least + below(most - least + 1),
    chance: (probability) => next() < probability,
    pick: <A>(from: ReadonlyArray<A>) => from[below(from.length)] as A
  }
}
