/**
 * Sessions in a process that can be killed, on a machine of virtual time, and the steps that happen to them.
 */
import { Context, Effect, Exit, type Fiber, Option, Scope } from "effect"
import type { FollowUp } from "../../src/domain/FollowUp.ts"
import { toFailure, type ScheduleError } from "../../src/domain/ScheduleError.ts"
import type { ScheduleView } from "../../src/domain/ScheduleView.ts"
import * as ReminderFrame from "../../src/host/localModel/ReminderFrame.ts"
import * as AlarmClock from "../../src/layers/AlarmClock.ts"
import { FollowUpError } from "../../src/services/AgentQueue.ts"
import type { Alarm } from "../../src/services/Alarm.ts"
import { Reminders } from "../../src/services/Reminders.ts"
import * as Dice from "./Dice.ts"
import * as Home from "./Home.ts"
import type * as Known from "./Known.ts"
import * as Machine from "./Machine.ts"
import * as Oracle from "./Oracle.ts"
import * as Rule from "./Rule.ts"
import * as Site from "./Site.ts"
import type { History, Step } from "./Step.ts"

/** A call that is not answered. */
interface Waiting {
  readonly site: Site.Site
  readonly call: Known.Call
  readonly fiber: Fiber.Fiber<unknown, unknown>
}

export interface World {
  readonly oracle: Oracle.Oracle
  readonly machine: Machine.Machine
  readonly sites: ReadonlyMap<string, Site.Site>
  /** An `advance` that stops does so at some moment at which something wakes. */
  apply(step: Step, stops?: boolean): void
  /** What must be true whenever nothing is left to run. */
  check(): void
}

/** Longer than any delay after which something is tried or looked at again. */
const LONG = 121_000

const remindersIn = (text: string) => Option.getOrElse(ReminderFrame.read(text), () => [])

const shown = ({ id, prompt, scheduledAt, state }: ScheduleView): Oracle.Shown => ({ id, prompt, scheduledAt, state })

export const make = ({
  agent,
  seed,
  start,
  sessions
}: Pick<History, "agent" | "seed" | "start" | "sessions">): World => {
  const machine = Machine.make(start, Dice.make(seed))
  const oracle = Oracle.make(agent, () => machine.now)
  const outside = machine.start(false)
  const sites = new Map<string, Site.Site>()
  const wellSince = new Map<Site.Site, number>()
  let waiting: Array<Waiting> = []
  let process = machine.start()
  let processes = [process]
  let alarm = startAlarm(machine, process)

  /** The instant of the wall clock before which nothing can be due that was not sent, if all was well for long. */
  const calm = (site: Site.Site): number | undefined =>
    machine.elapsed - (wellSince.get(site) ?? Number.POSITIVE_INFINITY) >= LONG ? machine.now - 1_000 : undefined

  /** What one owner of a Session sends, and what its turns hear. */
  const ears =
    (name: string) =>
    (isOwner: () => boolean): Home.Ears => {
      let [held, turns] = [false, 0]
      return {
        watch: (queue) => ({
          awaitIdle: queue.awaitIdle,
          maintain: (effect) =>
            queue.maintain(
              Effect.suspend(() => {
                if (turns > 0) oracle.complain(`${name}: the Agent is held during a turn`)
                held = true
                return Effect.ensuring(
                  effect,
                  Effect.sync(() => void (held = false))
                )
              })
            ),
          followUp: (message) =>
            Effect.suspend(() => {
              if (sites.get(name)?.isRefusing) return Effect.fail(new FollowUpError({ cause: "refused" }))
              if (!held) oracle.complain(`${name}: a message is sent while the Agent is not held`)
              oracle.offer(name, remindersIn(message.text), isOwner())
              return queue.followUp(message)
            })
        }),
        turn: (messages) => {
          turns++
          const said = messages.map((message) => {
            if (message.kind === "prompt") return oracle.hearSaid(name, message.text)
            if (messages.length > 1) oracle.complain(`${name}: a message shares its turn`)
            return oracle.hear(name, remindersIn(message.text), message.attempt)
          })
          return () => {
            for (const tell of said) tell?.()
          }
        },
        turnOver: () => void turns--,
        useTools: (reminders) => (isOwner() ? toolCall(name, reminders) : Effect.ignore(reminders.list))
      }
    }

  const add = (name: string, rows: Site.Options["rows"], parent?: string) => {
    if (parent === undefined) oracle.begin(name)
    else oracle.begin(name, parent)
    const hear = ({ text }: FollowUp) => void oracle.hear(name, remindersIn(text), 1)
    const home = agent === "foreign" ? Home.foreign(outside, hear) : Home.own(rows.length)
    sites.set(name, Site.make({ name, rows, home, outside, oracle, ears: ears(name) }))
  }

  /** A call by a tool, within a turn. */
  const toolCall = (name: string, { list }: Reminders["Service"]) =>
    Effect.suspend(() => {
      const site = sites.get(name) as Site.Site
      const call = oracle.called()
      if (site.isFaulty) oracle.fault(name)
      return Effect.map(Effect.exit(list), (exit) => answerList(site, call, exit))
    })

  const fail = (site: Site.Site, call: Known.Call, exit: Exit.Failure<unknown, ScheduleError>, expected?: string) => {
    const error = Exit.findErrorOption(exit)
    if (Exit.hasInterrupts(exit)) return oracle.answer(call, "unknown")
    if (error._tag === "None") return oracle.complain(`${site.name}: a call dies: ${String(exit.cause)}`)
    const { code } = toFailure(error.value)
    if (code === "persistence_uncertain") return oracle.uncertain(site.name, call)
    oracle.answer(call, "refused")
    if (code !== expected && code !== "not_future") oracle.complain(`${site.name}: a call is refused with ${code}`)
  }

  const answerList = (
    site: Site.Site,
    call: Known.Call,
    exit: Exit.Exit<ReadonlyArray<ScheduleView>, ScheduleError>,
    since?: number
  ) => (Exit.isSuccess(exit) ? oracle.list(site.name, call, exit.value.map(shown), since) : fail(site, call, exit))

  const ask = <A, E>(
    site: Site.Site,
    call: Known.Call,
    program: Effect.Effect<A, E>,
    answer: (exit: Exit.Exit<A, E>) => void
  ) => {
    if (site.isFaulty) oracle.fault(site.name)
    const asker = process
    const fiber = asker.run(program)
    const asked: Waiting = { site, call, fiber }
    waiting.push(asked)
    fiber.addObserver((exit) => {
      if (!waiting.includes(asked)) return
      waiting = waiting.filter((other) => other !== asked)
      // What a process answers that nobody asks any more is not about what is now.
      if (asker === process) answer(exit)
      else oracle.answer(call, "unknown")
    })
  }

  const reminders = ({ opened }: Site.Site): Reminders["Service"] | undefined =>
    opened === undefined ? undefined : Context.get(opened.services, Reminders)

  const create = (site: Site.Site, prompt: string, rule: Rule.Rule) => {
    const door = reminders(site)
    if (door === undefined) return
    const call = oracle.created(site.name, prompt, rule)
    ask(site, call, door.create({ prompt, ...Rule.toArguments(rule) }), (exit) =>
      Exit.isSuccess(exit) ? oracle.acknowledge(site.name, call, shown(exit.value)) : fail(site, call, exit)
    )
  }

  const misuse = (site: Site.Site, input: unknown, code: string) => {
    const door = reminders(site)
    if (door === undefined) return
    const call = oracle.called()
    ask(site, call, door.create(input), (exit) =>
      Exit.isSuccess(exit)
        ? oracle.complain(`${site.name}: ${JSON.stringify(input)} is accepted`)
        : fail(site, call, exit, code)
    )
  }

  const list = (site: Site.Site) => {
    const door = reminders(site)
    if (door === undefined) return
    const call = oracle.called()
    const since = calm(site)
    ask(site, call, door.list, (exit) => answerList(site, call, exit, since))
  }

  const remove = (site: Site.Site, id: string) => {
    const door = reminders(site)
    if (door === undefined) return
    const call = oracle.deleted(site.name, id)
    ask(site, call, door.delete(id), (exit) =>
      Exit.isSuccess(exit) ? oracle.remove(site.name, call, id, exit.value.deleted) : fail(site, call, exit)
    )
  }

  const say = (site: Site.Site, text: string) => {
    if (site.opened?.say === undefined) return site.home.say()
    const call = oracle.said(site.name, text)
    ask(site, call, site.opened.say(text), (exit) =>
      Exit.isSuccess(exit)
        ? oracle.answer(call, "done")
        : Exit.hasInterrupts(exit)
          ? oracle.answer(call, "unknown")
          : oracle.uncertain(site.name, call)
    )
  }

  const cancel = (site: Site.Site) => {
    const last = waiting.findLast((other) => other.site === site)
    last?.fiber.interruptUnsafe()
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
    for (const running of processes.splice(0)) running.kill()
    for (const { call } of waiting.splice(0)) oracle.answer(call, "unknown")
    restart(true, resume)
  }

  /** Over a queue that two processes share, nothing could be promised. */
  const takeOver = () => (agent === "own" ? restart(false, true) : crash(true))

  const stepClock = (millis: number) => {
    machine.settle()
    const before = machine.now
    machine.step(millis)
    oracle.stepped(before, machine.now)
    for (const site of wellSince.keys()) wellSince.set(site, machine.elapsed)
  }

  const everywhere = (step: Step, stops: boolean): boolean => {
    if (step.kind === "advance") machine.advance(step.millis, stops)
    else if (step.kind === "step clock") stepClock(step.millis)
    else if (step.kind === "crash") crash(step.resume)
    else if (step.kind === "take over") takeOver()
    else return false
    return true
  }

  const at = (site: Site.Site, step: Step): void => {
    switch (step.kind) {
      case "create":
        return create(site, step.prompt, step.rule)
      case "misuse":
        return misuse(site, step.input, step.code)
      case "list":
        return list(site)
      case "delete":
        return remove(site, step.id)
      case "cancel":
        return cancel(site)
      case "say":
        return say(site, step.text)
      case "end turn":
        return site.home.endTurn()
      case "hold turns":
        return site.home.holdTurns(step.held)
      case "refuse":
        return site.refuse(step.refused)
      case "break":
        return site.break(step.part, step.fault, step.times)
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
      case "fork":
        if (!sites.has(step.child)) add(step.child, [...site.disk.rows], site.name)
    }
  }

  const observe = () => {
    for (const site of sites.values()) {
      if (!site.isWell) wellSince.delete(site)
      else if (!wellSince.has(site)) wellSince.set(site, machine.elapsed)
    }
  }

  const check = () => {
    for (const { site } of waiting) if (!site.isHeld) oracle.complain(`${site.name}: a call is not answered`)
    for (const site of sites.values()) {
      if (site.status === "faulted" && !site.mayHaveStopped) oracle.complain(`${site.name}: its owner stopped`)
      if (calm(site) !== undefined) oracle.prompt(site.name)
    }
  }

  for (const name of sessions) add(name, [])
  for (const site of sites.values()) site.open(process, alarm)

  return {
    oracle,
    machine,
    sites,
    apply: (step, stops = false) => {
      if (!everywhere(step, stops)) {
        const site = "session" in step ? sites.get(step.session) : undefined
        if (site !== undefined) at(site, step)
      }
      observe()
    },
    check: () => {
      observe()
      check()
    }
  }
}

/** The one alarm of a process. */
const startAlarm = (machine: Machine.Machine, process: Machine.Process): Alarm["Service"] => {
  const starting = process.run(Effect.provideService(AlarmClock.make, Scope.Scope, Scope.makeUnsafe()))
  machine.settle()
  const exit = starting.pollUnsafe()
  if (exit === undefined || Exit.isFailure(exit)) throw new Error("the alarm does not start")
  return exit.value
}
