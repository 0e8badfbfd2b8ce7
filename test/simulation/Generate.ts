/**
 * Draws a history from a seed. Each has its own taste for the kinds of steps, so that some are calm but for one fault and
 * others have everything at once.
 */
import * as Dice from "./Dice.ts"
import type { CalendarRule, Rule, Zone } from "./Rule.ts"
import type { AgentKind, Fault, History, Part, Planned, Step } from "./Step.ts"

const START = Date.parse("2026-12-01T00:00:00.000Z")
const SECOND = 1_000
const MINUTE = 60_000
const HOUR = 3_600_000
const DAY = 86_400_000

/** The kinds of steps that are drawn. */
type Kind = Exclude<Step["kind"], "forget">

const WEIGHTS: Readonly<Record<Kind, number>> = {
  create: 12,
  misuse: 1,
  list: 6,
  delete: 4,
  cancel: 2,
  say: 3,
  "end turn": 4,
  "hold turns": 2,
  refuse: 2,
  break: 4,
  mend: 5,
  hold: 3,
  release: 5,
  advance: 10,
  reach: 6,
  "step clock": 3,
  close: 2,
  open: 4,
  fork: 1,
  crash: 2,
  "take over": 1
}

const ALWAYS: ReadonlySet<Kind> = new Set(["create", "list", "advance", "reach", "mend", "release", "open", "end turn"])

const FAULTY: ReadonlySet<Kind> = new Set(["refuse", "break", "mend", "hold", "release"])

const EVERYWHERE: ReadonlySet<Kind> = new Set(["advance", "reach", "step clock", "crash", "take over"])

const FAULTS: Readonly<Record<AgentKind, ReadonlyArray<readonly [Part, Fault]>>> = {
  foreign: [
    ["read", "fails"],
    ["read", "dies"],
    ["append", "fails"],
    ["append", "lost"],
    ["append", "dies"],
    ["flush", "fails"],
    ["flush", "fails"],
    ["flush", "lost"],
    ["flush", "dies"],
    ["flush", "gives up"],
    ["commit", "fails"],
    ["commit", "stored"]
  ],
  own: [
    ["read", "fails"],
    ["append", "fails"],
    ["append", "lost"],
    ["flush", "fails"],
    ["flush", "lost"],
    ["commit", "fails"],
    ["commit", "fails"],
    ["commit", "stored"]
  ]
}

const PARTS: ReadonlyArray<Part> = ["read", "append", "flush", "commit"]

const MISUSES: ReadonlyArray<readonly [input: unknown, code: string]> = [
  [{ prompt: "p", every_seconds: 299 }, "frequency_too_high"],
  [{ prompt: " ", after_seconds: 60 }, "invalid_prompt"],
  [{ prompt: "p" }, "invalid_selector"],
  [{ prompt: "p", at: "2020-01-01T00:00:00Z" }, "not_future"],
  [{ prompt: "p", daily: { time: "09:00:00", time_zone: "EST" } }, "invalid_time_zone"]
]

type Draw<K extends Kind> = Omit<Extract<Step, { kind: K }>, "kind" | "session">

/** What the draws so far make of the world. */
interface Plan {
  readonly dice: Dice.Dice
  readonly agent: AgentKind
  readonly sessions: Array<string>
  /** The wall clock, as far as the steps tell. */
  now: number
  created: number
  said: number
}

const calendarRule = (dice: Dice.Dice): CalendarRule => {
  const every = (n: number, step = 1) => Array.from({ length: Math.ceil(n / step) }, (_, i) => i * step)
  const zone: Zone = dice.pick(["UTC", "Asia/Shanghai"])
  const week = [1, 2, 3, 4, 5, 6, 7]
  const at = { zone, minutes: [dice.below(60)], hours: [dice.below(24)] }
  switch (dice.below(4)) {
    case 0:
      return { kind: "daily", ...at, weekdays: week }
    case 1:
      return {
        kind: "weekly",
        ...at,
        weekdays: week
          .filter(() => dice.chance(0.5))
          .concat(7)
          .filter((day, i, all) => all.indexOf(day) === i)
      }
    case 2:
      return { kind: "cron", ...at, weekdays: dice.pick([week, [1, 2, 3, 4, 5]]) }
    default:
      return { kind: "cron", zone, minutes: every(60, dice.pick([5, 10, 15, 30])), hours: every(24), weekdays: week }
  }
}

const rule = ({ dice, now }: Plan): Rule => {
  switch (dice.below(6)) {
    case 0:
    case 1:
      return { kind: "after", seconds: dice.pick([1, 60, dice.between(1, 120), dice.between(60, 7_200), 100 * 86_400]) }
    case 2:
      return { kind: "at", instant: Math.floor(now / SECOND) * SECOND + dice.between(-60, 7_200) * SECOND }
    case 3:
    case 4:
      return { kind: "every", seconds: dice.pick([300, 301, 600, 3_600]) }
    default:
      return calendarRule(dice)
  }
}

const advance = ({ dice }: Plan): number =>
  dice.pick([1, SECOND, dice.below(5 * SECOND), MINUTE, dice.below(10 * MINUTE), 5 * MINUTE, 30 * MINUTE, HOUR])

const clockStep = ({ dice }: Plan): number =>
  dice.pick([-1, 1]) * dice.pick([1, SECOND, dice.below(HOUR), HOUR, dice.below(DAY)]) +
  dice.pick([0, 0, 3 * DAY, 40 * DAY])

/** The details of a step of each kind. */
const draws: { readonly [K in Kind]: (plan: Plan) => Draw<K> } = {
  create: (plan) => ({ prompt: `p${++plan.created}`, rule: rule(plan) }),
  misuse: ({ dice }) => {
    const [input, code] = dice.pick(MISUSES)
    return { input, code }
  },
  list: () => ({}),
  delete: ({ dice, created }) => ({ id: `schedule-${dice.between(1, Math.min(created, 8) + 1)}` }),
  cancel: () => ({}),
  say: (plan) => ({ text: `said ${++plan.said}` }),
  "end turn": () => ({}),
  "hold turns": ({ dice }) => ({ held: dice.chance(0.5) }),
  refuse: ({ dice }) => ({ refused: dice.chance(0.5) }),
  break: ({ dice, agent }) => {
    const [part, fault] = dice.pick(FAULTS[agent])
    return { part, fault, once: dice.chance(0.5) }
  },
  mend: ({ dice }) => ({ part: dice.pick(PARTS) }),
  hold: ({ dice }) => ({ part: dice.pick(PARTS) }),
  release: ({ dice }) => ({ part: dice.pick(PARTS) }),
  advance: (plan) => ({ millis: advance(plan) }),
  reach: () => ({}),
  "step clock": (plan) => ({ millis: clockStep(plan) }),
  close: () => ({}),
  open: () => ({}),
  fork: ({ sessions }) => ({ child: `s${sessions.length}` }),
  crash: ({ dice }) => ({ resume: dice.chance(0.7) }),
  "take over": () => ({})
}

const follow = (plan: Plan, step: Step): void => {
  if (step.kind === "advance" || step.kind === "step clock") plan.now += step.millis
  if (step.kind === "fork") plan.sessions.push(step.child)
}

/** Kinds of steps, each as often as its weight. Where nothing is broken, the oracle forgives nothing. */
const taste = (dice: Dice.Dice): ReadonlyArray<Kind> => {
  const breaks = dice.chance(0.7)
  return (Object.keys(WEIGHTS) as Array<Kind>).flatMap((kind) => {
    const factor = ALWAYS.has(kind) ? dice.pick([1, 1, 2]) : dice.pick([0, 0, 1, 1, 3])
    const allowed = breaks || !FAULTY.has(kind)
    return Array.from({ length: allowed ? WEIGHTS[kind] * factor : 0 }, () => kind)
  })
}

const draw = (plan: Plan, kinds: ReadonlyArray<Kind>, sessions: ReadonlyArray<string>): Step => {
  const kind = plan.dice.pick(kinds)
  const session = EVERYWHERE.has(kind) ? {} : { session: plan.dice.pick(sessions) }
  const step = { kind, ...session, ...draws[kind](plan) } as Step
  follow(plan, step)
  return step
}

/** What is most telling in the midst of something else. */
const DISTURBANCES: ReadonlyArray<Kind> = [
  "crash",
  "close",
  "cancel",
  "hold",
  "break",
  "say",
  "create",
  "delete",
  "take over"
]

/** Steps that often hit the same Session, and often while what the one before set going is not done. */
const plannedSteps = (plan: Plan, kinds: ReadonlyArray<Kind>): ReadonlyArray<Planned> => {
  const { dice, sessions } = plan
  const haste = dice.pick([0, 0.2, 0.5])
  const disturbances = DISTURBANCES.filter((kind) => kinds.includes(kind))
  let [midst, last] = [false, sessions]
  return Array.from({ length: dice.between(10, 60) }, (): Planned => {
    const step = midst && dice.chance(0.6) ? draw(plan, disturbances, last) : draw(plan, kinds, sessions)
    midst = dice.chance(step.kind === "reach" ? 2 * haste : haste)
    if ("session" in step) last = [step.session]
    return { step, tasks: midst ? dice.below(30) : null, seed: dice.below(2 ** 31) }
  })
}

/** The history of a seed. */
export const history = (seed: number): History => {
  const dice = Dice.make(seed)
  const agent = dice.pick(["foreign", "own"] as const)
  const sessions = Array.from({ length: dice.pick([1, 1, 2, 3]) }, (_, i) => `s${i}`)
  const plan: Plan = { dice, agent, sessions: [...sessions], now: START, created: 0, said: 0 }
  return { seed, agent, start: START, sessions, steps: plannedSteps(plan, taste(dice)) }
}
