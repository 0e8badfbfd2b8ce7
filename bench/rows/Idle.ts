/**
 * What live Sessions cost while nothing is due.
 */
import * as Child from "../measure/Child.ts"
import * as Row from "../measure/Row.ts"
import type { Idle } from "../ours/IdleHost.ts"

const sizes = {
  full: { sessions: [1_000, 10_000, 100_000], seconds: 10 },
  quick: { sessions: [200, 1_000], seconds: 1 }
}

const count = (n: number): string => n.toLocaleString("en-US")

const rowOf = (size: number, idle: Idle): Row.Row => {
  const fact = (who: string, sample: number, unit: string): Row.Entry => ({
    who,
    role: "fact",
    samples: [sample],
    unit
  })
  const { seconds, perSession, floor, sleeper } = idle
  return {
    what: `${count(size)} live Sessions, one reminder each, an hour away`,
    unit: "B",
    entries: [
      { who: "ours: heap of one Session", role: "ours", samples: [perSession] },
      { who: "a record in a map and its place in the queue", role: "floor", samples: [floor] },
      { who: "a fiber that sleeps until then", role: "peer", samples: [sleeper] },
      fact("resident set of the process", idle.residentMiB, "MiB"),
      fact(`processor time in ${seconds} s`, idle.busyMillis, "ms"),
      fact(`the same without a Session, in ${seconds} s`, idle.emptyBusyMillis, "ms"),
      fact(`times that the process was woken in ${seconds} s`, idle.wakeUps, ""),
      fact(
        `the same without a Session, in ${seconds} s`.replace("the same", "the same wake-ups"),
        idle.emptyWakeUps,
        ""
      ),
      fact("fibers more than without a Session", idle.fibers, ""),
      fact("timers more than without a Session", idle.timers, ""),
      fact("to resume them at start", idle.resumeSeconds, "s"),
      fact("and until the process is at rest", idle.restSeconds, "s")
    ],
    goals: [
      Row.atMost(`${count(size)} idle Sessions: heap of one`, perSession / 1_024, 8, "KiB"),
      Row.atMost(`${count(size)} idle Sessions: fibers for each, rounded`, Math.round(idle.fibers / size), 0, ""),
      Row.atMost(`${count(size)} idle Sessions: timers more than one, the alarm's`, idle.timers, 1, "")
    ]
  }
}

export const run = async (size: Row.Size): Promise<Row.Section> => {
  const { sessions, seconds } = sizes[size]
  const rows: Array<Row.Row> = []
  for (const size of sessions) {
    const program = new URL("../ours/IdleHost.ts", import.meta.url)
    rows.push(
      rowOf(
        size,
        await Child.run<Idle>(program, { args: [String(size), String(seconds)], flags: ["--max-old-space-size=16384"] })
      )
    )
  }
  return { rows, notes: [] }
}
