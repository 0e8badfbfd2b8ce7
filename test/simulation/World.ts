/**
 * Sessions in a process that can be killed, on a machine of virtual time, and the steps that happen to them.
 */
import { Effect, Exit, Scope } from "effect"
import * as AlarmClock from "../../src/layers/AlarmClock.ts"
import type { Alarm } from "../../src/services/Alarm.ts"
import * as Callers from "./Callers.ts"
import * as Dice from "./Dice.ts"
import * as Ears from "./Ears.ts"
import * as Home from "./Home.ts"
import * as Machine from "./Machine.ts"
import * as Medium from "./Medium.ts"
import * as Oracle from "./Oracle.ts"
import * as Site from "./Site.ts"
import type { History, Step } from "./Step.ts"

export interface World {
  readonly oracle: Oracle.Oracle
  readonly machine: Machine.Machine
  readonly sites: ReadonlyMap<string, Site.Site>
  /** A step that is `hasty` may leave off in the midst of what it sets going. */
  apply(step: Step, hasty?: boolean): void
  /** What must be true whenever nothing is left to run. */
  check(): void
}

/** Longer than any delay after which something is tried or looked at again. */
const LONG = 121_000

/** The furthest that a target may be for time to pass up to it. */
const REACH = 7_200_000

/** The one alarm of a process. */
const startAlarm = (machine: Machine.Machine, process: Machine.Process): Alarm["Service"] => {
  const starting = process.run(Effect.provideService(AlarmClock.make, Scope.Scope, Scope.makeUnsafe()))
  machine.settle()
  const exit = starting.pollUnsafe()
  if (exit === undefined || Exit.isFailure(exit)) throw new Error("the alarm does not start")
  return exit.value
}

export const make = (
  { agent, seed, start, sessions }: Omit<History, "steps">,
  makeMedium: () => Medium.Medium = Medium.inMemory
): World => {
  const machine = Machine.make(start, Dice.make(seed))
  const oracle = Oracle.make(agent, () => machine.now)
  const outside = machine.start(false)
  const sites = new Map<string, Site.Site>()
  const wellSince = new Map<Site.Site, number>()
  let process = machine.start()
  let processes = [process]
  let alarm = startAlarm(machine, process)
  const callers = Callers.make(oracle, () => process)

  const add = (name: string, medium: Medium.Medium, parent?: Site.Site) => {
    const seedLength = parent?.disk.rows().length ?? 0
    oracle.known.add(name, parent?.name)
    const hear: Home.Hear = ({ text }) => void oracle.messages.hear(name, Ears.remindersIn(text), 1)
    const home = agent === "foreign" ? Home.foreign(outside, hear) : Home.own(seedLength)
    const site: Site.Site = Site.make({
      name,
      medium,
      seedLength,
      home,
      outside,
      oracle,
      ears: (isOwner) =>
        Ears.make({
          name,
          oracle,
          isOwner,
          isRefusing: () => site.isRefusing,
          useTools: (reminders) => callers.toolCall(site, reminders)
        })
    })
    sites.set(name, site)
    return site
  }

  /** A new process opens what was open, or nothing. */
  const restart = (killed: boolean, resume: boolean) => {
    const open = [...sites.values()].filter(({ isOpen }) => isOpen)
    for (const site of sites.values()) site.lose(killed)
    process = machine.start()
    processes.push(process)
    alarm = startAlarm(machine, process)
    if (resume) for (const site of open) site.open(process, alarm)
  }

  const crash = (resume: boolean) => {
    for (const running of processes) running.kill()
    processes = []
    callers.crash()
    restart(true, resume)
  }

  const stepClock = (millis: number) => {
    machine.settle()
    const before = machine.now
    machine.step(millis)
    oracle.known.stepped(before, machine.now)
    for (const site of wellSince.keys()) wellSince.set(site, machine.elapsed)
  }

  const reach = (hasty: boolean) => {
    const millis = oracle.nextTarget() - machine.now
    if (millis > 0 && millis <= REACH) machine.advance(millis, hasty ? "at the end" : "never")
  }

  /** What all was well for long must have sent by now: what was due before this instant, if it was. */
  const calm = (site: Site.Site): number | undefined =>
    machine.elapsed - (wellSince.get(site) ?? Number.POSITIVE_INFINITY) >= LONG ? machine.now - 1_000 : undefined

  const everywhere = (step: Step, hasty: boolean): void => {
    switch (step.kind) {
      case "advance":
        return machine.advance(step.millis, hasty ? "anywhere" : "never")
      case "reach":
        return reach(hasty)
      case "step clock":
        return stepClock(step.millis)
      case "crash":
        return crash(step.resume)
      case "take over":
        // Over a queue that two processes share, nothing could be promised.
        return agent === "own" ? restart(false, true) : crash(true)
    }
  }

  const at = (site: Site.Site, step: Step): void => {
    switch (step.kind) {
      case "create":
        return callers.create(site, step.prompt, step.rule)
      case "misuse":
        return callers.misuse(site, step.input, step.code)
      case "list":
        return callers.list(site, calm(site))
      case "delete":
        return callers.remove(site, step.id)
      case "cancel":
        return callers.cancel(site)
      case "say":
        return callers.say(site, step.text)
      case "end turn":
        return site.home.endTurn()
      case "hold turns":
        return site.home.holdTurns(step.held)
      case "refuse":
        return site.refuse(step.refused)
      case "break":
        return site.break(step.part, step.fault, step.once ? 1 : Number.POSITIVE_INFINITY)
      case "mend":
        return site.mend(step.part)
      case "hold":
        return site.hold(step.part)
      case "release":
        return site.release(step.part)
      case "open":
        return site.open(process, alarm)
      case "close":
        return site.close(process)
      case "forget":
        return site.disk.medium.forget()
      case "fork":
        if (!sites.has(step.child)) add(step.child, site.disk.medium.fork(), site)
    }
  }

  const observe = () => {
    for (const site of sites.values()) {
      if (!site.isWell) wellSince.delete(site)
      else if (!wellSince.has(site)) wellSince.set(site, machine.elapsed)
    }
  }

  for (const name of sessions) add(name, makeMedium()).open(process, alarm)

  return {
    oracle,
    machine,
    sites,
    apply: (step, hasty = false) => {
      const site = "session" in step ? sites.get(step.session) : undefined
      if (!("session" in step)) everywhere(step, hasty)
      else if (site !== undefined) at(site, step)
      observe()
    },
    check: () => {
      observe()
      const { complain } = oracle.known
      for (const site of callers.unanswered) if (!site.isHeld) complain(`${site.name}: a call is not answered`)
      for (const site of sites.values()) {
        if (site.status === "faulted" && !site.mayHaveStopped) complain(`${site.name}: its owner stopped`)
        if (calm(site) !== undefined) oracle.nothingIsOverdue(site.name)
      }
    }
  }
}
