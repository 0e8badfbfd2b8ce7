/**
 * Calls to the Sessions of a process, and what the oracle is told of their answers.
 */
import { Context, Effect, Exit, type Fiber } from "effect"
import { type ScheduleError, toFailure } from "../../src/domain/ScheduleError.ts"
import type { ScheduleView } from "../../src/domain/ScheduleView.ts"
import { Reminders } from "../../src/services/Reminders.ts"
import type { Shown } from "./Answers.ts"
import type * as Known from "./Known.ts"
import type { Process } from "./Machine.ts"
import type { Oracle } from "./Oracle.ts"
import * as Rule from "./Rule.ts"
import type { Site } from "./Site.ts"

export interface Callers {
  create(site: Site, prompt: string, rule: Rule.Rule): void
  /** A create that must be refused, with this code. */
  misuse(site: Site, input: unknown, code: string): void
  /** `since`: what is due before has to be gone. */
  list(site: Site, since: number | undefined): void
  remove(site: Site, id: string): void
  say(site: Site, text: string): void
  /** Interrupts the latest call that is not answered. */
  cancel(site: Site): void
  /** A list within a turn. */
  toolCall(site: Site, reminders: Reminders["Service"]): Effect.Effect<void>
  /** Nobody is answered any more. */
  crash(): void
  /** Sessions with a call that is not answered. */
  readonly unanswered: ReadonlyArray<Site>
}

interface Waiting {
  readonly site: Site
  readonly call: Known.Call
  readonly fiber: Fiber.Fiber<unknown, unknown>
}

const shown = ({ id, prompt, scheduledAt, state }: ScheduleView): Shown => ({ id, prompt, scheduledAt, state })

export const make = ({ known, answers, messages, fault }: Oracle, current: () => Process): Callers => {
  const waiting = new Set<Waiting>()

  const fail = (site: Site, call: Known.Call, exit: Exit.Failure<unknown, ScheduleError>, expected = "not_future") => {
    if (Exit.hasInterrupts(exit)) return known.end(call, "unknown")
    const error = Exit.findErrorOption(exit)
    if (error._tag === "None") return known.complain(`${site.name}: a call dies: ${String(exit.cause)}`)
    const { code } = toFailure(error.value)
    if (code === "persistence_uncertain") return answers.uncertain(site.name, call)
    known.end(call, "refused")
    if (code !== expected) known.complain(`${site.name}: a call is refused with ${code}`)
  }

  const ask = <A, E>(
    site: Site,
    call: Known.Call,
    program: Effect.Effect<A, E>,
    answer: (exit: Exit.Exit<A, E>) => void
  ) => {
    if (site.isFaulty) fault(site.name)
    const process = current()
    const fiber = process.run(program)
    const asked: Waiting = { site, call, fiber }
    waiting.add(asked)
    fiber.addObserver((exit) => {
      if (!waiting.delete(asked)) return
      // What a process answers that nobody asks any more is not about what is now.
      if (process === current()) answer(exit)
      else known.end(call, "unknown")
    })
  }

  const listed =
    (site: Site, call: Known.Call, since?: number) => (exit: Exit.Exit<ReadonlyArray<ScheduleView>, ScheduleError>) =>
      Exit.isSuccess(exit) ? answers.listed(site.name, call, exit.value.map(shown), since) : fail(site, call, exit)

  const withReminders =
    <Args extends ReadonlyArray<unknown>>(work: (reminders: Reminders["Service"], site: Site, ...args: Args) => void) =>
    (site: Site, ...args: Args): void => {
      if (site.opened !== undefined) work(Context.get(site.opened.services, Reminders), site, ...args)
    }

  return {
    create: withReminders((reminders, site, prompt: string, rule: Rule.Rule) => {
      const call = answers.create(site.name, prompt, rule)
      ask(site, call, reminders.create({ prompt, ...Rule.toArguments(rule) }), (exit) =>
        Exit.isSuccess(exit) ? answers.created(site.name, call, shown(exit.value)) : fail(site, call, exit)
      )
    }),
    misuse: withReminders((reminders, site, input: unknown, code: string) => {
      const call = known.begin()
      ask(site, call, reminders.create(input), (exit) =>
        Exit.isSuccess(exit)
          ? known.complain(`${site.name}: ${JSON.stringify(input)} is accepted`)
          : fail(site, call, exit, code)
      )
    }),
    list: withReminders((reminders, site, since: number | undefined) => {
      const call = known.begin()
      ask(site, call, reminders.list, listed(site, call, since))
    }),
    remove: withReminders((reminders, site, id: string) => {
      const call = answers.remove(site.name, id)
      ask(site, call, reminders.delete(id), (exit) =>
        Exit.isSuccess(exit) ? answers.removed(site.name, call, id, exit.value.deleted) : fail(site, call, exit)
      )
    }),
    say: (site, text) => {
      if (site.opened?.say === undefined) return site.home.say()
      const call = messages.say(site.name, text)
      ask(site, call, site.opened.say(text), (exit) => {
        if (Exit.isSuccess(exit)) known.end(call, "done")
        else if (Exit.hasInterrupts(exit)) known.end(call, "unknown")
        else answers.uncertain(site.name, call)
      })
    },
    cancel: (site) => [...waiting].findLast((asked) => asked.site === site)?.fiber.interruptUnsafe(),
    toolCall: (site, reminders) =>
      Effect.suspend(() => {
        const call = known.begin()
        if (site.isFaulty) fault(site.name)
        return Effect.map(Effect.exit(reminders.list), listed(site, call))
      }),
    crash: () => {
      for (const { call } of waiting) known.end(call, "unknown")
      waiting.clear()
    },
    get unanswered() {
      return [...waiting].map(({ site }) => site)
    }
  }
}
