/**
 * What can be measured, by the words that select it.
 */
import type { Section as Found, Size } from "./measure/Row.ts"

export interface Section {
  readonly title: string
  /** What is compared, and how. */
  readonly says: string
  /** Why a goal that is missed is. */
  readonly missed?: string
  readonly load: () => Promise<{ readonly run: (size: Size) => Promise<Found> }>
}

export const sections: Readonly<Record<string, Section>> = {
  calendar: {
    title: "Calendar arithmetic",
    says:
      "The same 4,096 questions to all, over two years, with everything warm. The floor is told all answers beforehand: " +
      "a zone's transitions, the matching days and minutes, as tables of integers. Local times are some of them near " +
      "transitions. Where a peer answers otherwise, it is said below.",
    load: () => import("./rows/Calendar.ts")
  },
  replay: {
    title: "Logs read back",
    says:
      "The life of one Session's reminders, the same every time, decoded strictly and folded: from rows as the store " +
      "keeps them, and from a file of JSON Lines as `session-schedule replay` reads it. The floor is `JSON.parse` of the " +
      "same texts. Other validators are followed by a fold of mutable maps. All must find the same active reminders.",
    missed:
      "A file costs more than its `JSON.parse`: its bytes are checked to be UTF-8 and split into lines, and each " +
      "line has an event around the change.",
    load: () => import("./rows/Replay.ts")
  },
  management: {
    title: "Calls as the log grows",
    says:
      "`create`, `list` and `delete` of one Session, one after the other, with few active reminders and ever more that " +
      "have ended; then with ever more active ones. The sizes take turns, call by call. Times are as the caller sees " +
      "them, in SQLite with the disk's confirmation.",
    load: () => import("./rows/Management.ts")
  },
  creates: {
    title: "Durable creates",
    says:
      "So many Sessions each create a reminder, wait until it is durable, and create the next. Through the host: all " +
      "that a call of `schedule_create` goes through, in SQLite with WAL and `synchronous=FULL`. The log alone: an " +
      "append and a flush. The floor is the disk itself, asked to confirm one page of 4 KiB after the other before and " +
      "after each round, and `node:sqlite` with as many rows in a transaction as there are Sessions at once. Peers get " +
      "one call for each reminder, as many at once, and in another line one call for all of them.",
    missed:
      "SQLite itself stays below 0.8 of the disk's rate with one create at a time, whatever the tables, and below " +
      "20 times with 64 at once and an index by Session, as the floors show; with none, a Session could not be " +
      "opened without reading all of them. Above the log, the bound is the processor: a call goes through some " +
      "hundred effects (the arguments' schema, the Session's transaction, the barriers before and after, the look " +
      "at what is due next), and no disk makes these quicker. Clarity was preferred: see [ADR " +
      "14](adr/0014-calls-stay-effects.md).",
    load: () => import("./rows/Creates.ts")
  },
  herd: {
    title: "The herd",
    says:
      "Live Sessions of the host, one reminder each, all due at one instant, with a model that answers at once. For " +
      "ours the lag ends when message and dispatch are durable; for peers when their handler is called, which then does " +
      "nothing, so that they have done less. The floor is SQLite alone, storing the rows that ours stored. Turns begin " +
      "meanwhile, and someone speaks in the middle of it.",
    missed:
      "The bound is the processor, as with creates: each delivery is a transaction of its own Session, with the " +
      "look before, the claim of the Agent, the message, the barriers and the look after. The handlers of the peers " +
      "do nothing of that, and theirs are one table's rows, taken a thousand at a time.",
    load: () => import("./rows/Herd.ts")
  },
  idle: {
    title: "Idle Sessions",
    says:
      "Live Sessions of the host, opened by `Resume` as `serve --resume` does, each with a reminder that is an hour away; " +
      "a process for each size. Heap is what is left after garbage collection, less what was there before the Sessions " +
      "were opened.",
    missed: "With few Sessions, what the process loads once is a larger part of each.",
    load: () => import("./rows/Idle.ts")
  },
  travel: {
    title: "Time travel",
    says:
      "Time that passes at once in a test: Sessions of the testing kit, in memory on the test clock, every delivery " +
      "counted. The floor is as many bare sleeps on that clock.",
    missed:
      "The kit lets other fibers run before and after each step of its log, barrier and Agent, so that a test may " +
      "break or kill a Session between any two: that is 17 rounds of the event loop for each delivery. Without, " +
      "races would no longer be met by a test that jumps.",
    load: () => import("./rows/TimeTravel.ts")
  },
  server: {
    title: "The page and the API under load",
    says:
      "The server as a process of its own, over a SQLite file, with the local model; autocannon with ten connections, " +
      "alone and while transcripts are streamed to many. The floor is `node:http` in a process of its own, which sends " +
      "the page for every request. The server's limit of connections is raised, since the streams alone would reach it.",
    load: () => import("./rows/Server.ts")
  }
}
