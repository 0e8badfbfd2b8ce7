/**
 * A computer on virtual time. What is ready to run waits until it is told to, and then runs in an order that the dice
 * draw, with pauses where they say. A process that is killed never runs again.
 */
import { Clock, Context, Duration, Effect, Exit, type Fiber, Random, References, Scheduler } from "effect"
import type { Dice } from "./Dice.ts"

export interface Process {
  /** Starts a program, which runs up to its first wait. */
  run<A, E>(program: Effect.Effect<A, E>): Fiber.Fiber<A, E>
  /** Lets something happen later on, unless the process is killed before. */
  later(task: () => void): void
  readonly kill: () => void
}

/** What a program gives that never waits. */
export const result = <A, E>({ run }: Process, program: Effect.Effect<A, E>): A => {
  const exit = run(program).pollUnsafe()
  if (exit === undefined || Exit.isFailure(exit)) throw new Error("a program waits that must not")
  return exit.value
}

export interface Machine {
  /** The wall clock, in epoch milliseconds. */
  readonly now: number
  /** The time that has passed, in milliseconds, whatever was done to the wall clock. */
  readonly elapsed: number
  /** Starts a process, whose programs pause wherever the dice say, or only where they wait. */
  start(pauses?: boolean): Process
  /** Draws from other dice from now on. */
  roll(dice: Dice): void
  /** Runs what is ready until nothing is, or so many tasks have run; whether nothing is. */
  settle(tasks?: number): boolean
  /** Lets time pass, and everything that falls into it happen. It may stop when something wakes, before that goes on. */
  advance(millis: number, stops?: "never" | "anywhere" | "at the end"): void
  /** Sets the wall clock forward, or back if negative. */
  step(millis: number): void
}

/** More tasks at one instant than any history of a Session needs. */
const LIVELOCK = 200_000

/** Who runs next: anyone, or mostly who was ready last or first. */
const POLICIES = ["any", "any", "newest", "oldest"] as const

/** How likely a program pauses at any of its steps. */
const RESTLESS = [1 / 512, 1 / 64, 1 / 8] as const

interface Task {
  readonly owner: Process
  readonly run: () => void
}

interface Timer extends Task {
  readonly at: number
}

export const make = (start: number, first: Dice): Machine => {
  let [dice, elapsed, wall] = [first, 0, start]
  let policy: (typeof POLICIES)[number] = "any"
  let restless = 1 / 64
  let tasks: Array<Task> = []
  let timers: Array<Timer> = []

  const sleep = (owner: Process, duration: Duration.Duration): Effect.Effect<void> =>
    Effect.callback((resume) => {
      const timer = { owner, at: elapsed + Duration.toMillis(duration), run: () => resume(Effect.void) }
      timers.push(timer)
      return Effect.sync(() => void (timers = timers.filter((other) => other !== timer)))
    })

  const clock = (owner: Process): Clock.Clock => {
    const millis = () => Math.floor(wall + elapsed)
    const nanos = () => BigInt(millis()) * 1_000_000n
    return {
      currentTimeMillisUnsafe: millis,
      currentTimeMillis: Effect.sync(millis),
      currentTimeNanosUnsafe: nanos,
      currentTimeNanos: Effect.sync(nanos),
      monotonicTimeNanosUnsafe: () => BigInt(Math.floor(elapsed * 1_000_000)),
      monotonicTimeNanos: Effect.sync(() => BigInt(Math.floor(elapsed * 1_000_000))),
      sleep: (duration) => sleep(owner, duration)
    }
  }

  const scheduler = (owner: Process, pauses: boolean): Scheduler.Scheduler => ({
    executionMode: "sync",
    shouldYield: () => pauses && dice.chance(restless),
    makeDispatcher: () => ({ scheduleTask: (task) => owner.later(task), flush: () => {} })
  })

  const context = (owner: Process, pauses: boolean): Context.Context<never> =>
    Context.make(Scheduler.Scheduler, scheduler(owner, pauses)).pipe(
      Context.add(Clock.Clock, clock(owner)),
      Context.add(Random.Random, { nextDoubleUnsafe: () => dice.next(), nextIntUnsafe: () => dice.below(2 ** 31) }),
      Context.add(References.CurrentLoggers, new Set()),
      Context.add(References.TracerEnabled, false)
    ) as Context.Context<never>

  const draw = (): number => {
    if (policy === "any" || dice.chance(0.1)) return dice.below(tasks.length)
    return policy === "newest" ? tasks.length - 1 : 0
  }

  const settle = (limit = Number.POSITIVE_INFINITY): boolean => {
    for (let ran = 0; ran < limit && tasks.length > 0; ran++) {
      if (ran > LIVELOCK) throw new Error("the machine never comes to rest")
      const [task] = tasks.splice(draw(), 1)
      task?.run()
    }
    return tasks.length === 0
  }

  /** The next timer up to an instant, once nothing is ready to run. */
  const next = (end: number): Timer | undefined => {
    settle()
    const [first] = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
    timers = timers.filter((timer) => timer !== first)
    return first
  }

  return {
    get now() {
      return Math.floor(wall + elapsed)
    },
    get elapsed() {
      return elapsed
    },
    start: (pauses = true) => {
      let alive = true
      const process: Process = {
        run: (program) => Effect.runForkWith(own)(program),
        later: (run) => {
          if (alive) tasks.push({ owner: process, run })
        },
        kill: () => {
          alive = false
          tasks = tasks.filter(({ owner }) => owner !== process)
          timers = timers.filter(({ owner }) => owner !== process)
        }
      }
      const own = context(process, pauses)
      return process
    },
    roll: (other) => {
      dice = other
      policy = dice.pick(POLICIES)
      restless = dice.pick(RESTLESS)
    },
    settle,
    advance: (millis, stops = "never") => {
      const end = elapsed + millis
      for (let due = next(end); due !== undefined; due = next(end)) {
        elapsed = Math.max(elapsed, due.at)
        due.run()
        if (stops === "anywhere" ? dice.chance(0.2) : stops === "at the end" && due.at > end - 1) return
      }
      elapsed = end
    },
    step: (millis) => void (wall += millis)
  }
}
