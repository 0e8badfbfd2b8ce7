/**
 * The testing kit: a Session in memory on virtual time, with an Agent and a store that do as a test says. For the test
 * clock of `@effect/vitest`'s `it.effect`, or of `TestClock.layer()`.
 *
 * `SessionWorld` is all of it in one expression; the others are its parts, for worlds of your own.
 */
export * as FaultyStore from "./FaultyStore.ts"
export * as ScriptedAgent from "./ScriptedAgent.ts"
export * as SessionWorld from "./SessionWorld.ts"
export * as SteppedClock from "./SteppedClock.ts"
export * as VirtualTime from "./VirtualTime.ts"
