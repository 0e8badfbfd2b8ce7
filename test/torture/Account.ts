/**
 * The reckoning: what callers were told against what the Sessions show in the end. Each rule answers with what is wrong.
 */
import { DatabaseSync } from "node:sqlite"
import type { Claim, Event, Ledger, Saying, View } from "./Ledger.ts"

/** A Session in the end: its whole transcript, and its active reminders. */
export interface Seen {
  readonly session: string
  readonly events: ReadonlyArray<Event>
  readonly views: ReadonlyArray<View>
}

/** How many reminders came to what, after how many calls. */
export interface Counts {
  /** Calls that were answered. */
  answered: number
  acknowledged: number
  unknown: number
  delivered: number
  active: number
  deleted: number
}

interface Created {
  readonly id: string
  readonly prompt: string
  readonly scheduledAt: number
  readonly isOneShot: boolean
}

/** What the transcript of one Session says of its reminders. */
interface Story {
  readonly created: ReadonlyMap<string, Created>
  readonly byPrompt: ReadonlyMap<string, ReadonlyArray<Created>>
  readonly deleted: ReadonlySet<string>
  /** How often each was dispatched, and how often a message first presented it. */
  readonly dispatched: ReadonlyMap<string, number>
  readonly presented: ReadonlyMap<string, number>
}

const count = (ids: ReadonlyArray<string>): ReadonlyMap<string, number> =>
  new Map([...Map.groupBy(ids, (id) => id)].map(([id, all]) => [id, all.length]))

const changesOf = (events: ReadonlyArray<Event>, operation: string): ReadonlyArray<any> =>
  events.filter(({ type, data }) => type === "schedule/change" && data.operation === operation).map(({ data }) => data)

const messagesOf = (events: ReadonlyArray<Event>): ReadonlyArray<any> =>
  events.filter(({ type }) => type === "inbox/queued").map(({ data }) => data.message)

const tell = ({ events }: Seen): Story => {
  const created = changesOf(events, "create").map(({ schedule }): Created => {
    const { id, prompt, kind, scheduledAt } = schedule
    return { id, prompt, scheduledAt: Date.parse(scheduledAt), isOneShot: kind === "after" || kind === "at" }
  })
  const firsts = messagesOf(events).filter(({ kind, attempt }) => kind === "follow-up" && attempt === 1)
  return {
    created: new Map(created.map((record) => [record.id, record])),
    byPrompt: Map.groupBy(created, ({ prompt }) => prompt),
    deleted: new Set(changesOf(events, "delete").map(({ id }) => id)),
    dispatched: count(changesOf(events, "dispatch").map(({ id }) => id)),
    presented: count(firsts.flatMap(({ source }) => source.ids))
  }
}

/** The log alone: its places follow each other, and nothing is delivered twice, early, or without its dispatch. */
const checkLog = ({ events, views }: Seen, story: Story): ReadonlyArray<string> => [
  ...events.flatMap(({ seq }, place) => (seq === place ? [] : [`event ${place} has seq ${seq}`])),
  ...[...story.byPrompt].flatMap(([prompt, all]) => (all.length === 1 ? [] : [`${prompt} was created twice`])),
  ...[...story.created.values()].flatMap(({ id, isOneShot }) => {
    const [presented, dispatched] = [story.presented.get(id) ?? 0, story.dispatched.get(id) ?? 0]
    const isActive = views.some((view) => view.id === id)
    const isOver = story.deleted.has(id) || (isOneShot && dispatched > 0)
    return [
      ...(presented === dispatched ? [] : [`${id} was presented ${presented} times, dispatched ${dispatched}`]),
      ...(isOneShot && presented > 1 ? [`${id} was delivered ${presented} times`] : []),
      ...(isActive === isOver ? [`${id} is ${isActive ? "listed, and over" : "not over, and not listed"}`] : [])
    ]
  }),
  ...views.filter(({ id }) => !story.created.has(id)).map(({ id }) => `${id} is listed, and was never created`)
]

/** No message is from before the targets of the reminders that it presents. */
const checkTimes = ({ events }: Seen, { created }: Story): ReadonlyArray<string> =>
  events.flatMap(({ type, at, data }) =>
    type === "inbox/queued" && data.message.kind === "follow-up"
      ? data.message.source.ids
          .filter((id: string) => Date.parse(at) < (created.get(id)?.scheduledAt ?? Infinity))
          .map((id: string) => `${id} was delivered before its target`)
      : []
  )

/** Each message opens one turn, and each turn ends once. */
const checkTurns = ({ events }: Seen): ReadonlyArray<string> => {
  const started = events.filter(({ type }) => type === "turn/started")
  const taken = count(started.flatMap(({ data }) => data.messages.map(String)))
  const ended = count(events.filter(({ type }) => type === "turn/ended").map(({ data }) => String(data.turn)))
  return [
    ...messagesOf(events).flatMap(({ id }) =>
      taken.get(String(id)) === 1 ? [] : [`message ${id} opened ${taken.get(String(id)) ?? 0} turns`]
    ),
    ...started.flatMap(({ data }) =>
      ended.get(String(data.turn)) === 1 ? [] : [`turn ${data.turn} ended ${ended.get(String(data.turn)) ?? 0} times`]
    )
  ]
}

/** What a tool told the model that it created is in the log. */
const checkTools = ({ events }: Seen, { created }: Story): ReadonlyArray<string> =>
  events
    .filter(({ type, data }) => type === "turn/output" && data.message.role === "tool")
    .flatMap(({ data }) => data.message.content)
    .filter((part) => part.type === "tool-result" && part.name === "schedule_create" && !part.isFailure)
    .filter((part) => !created.has(part.result.id))
    .map((part) => `the model was told of ${part.result.id}, which was never created`)

/** One reminder: what was acknowledged is so, and what was refused is not. */
const checkClaim = (claim: Claim, story: Story): ReadonlyArray<string> => {
  const [record] = story.byPrompt.get(claim.prompt) ?? []
  const { prompt, created, id, scheduledAt, deleted } = claim
  if (record === undefined) return created === "acknowledged" ? [`${prompt} was acknowledged, and is lost`] : []
  if (created === "refused") return [`${prompt} was refused, and created`]
  const isDeleted = story.deleted.has(record.id)
  return [
    ...(id === undefined || id === record.id ? [] : [`${prompt} was acknowledged as ${id}, and is ${record.id}`]),
    ...(scheduledAt === undefined || scheduledAt === record.scheduledAt ? [] : [`${prompt} has another target`]),
    ...(deleted === "acknowledged" && !isDeleted ? [`${prompt} was deleted, and is not`] : []),
    ...(deleted === undefined && isDeleted ? [`${prompt} was deleted, and nobody asked for it`] : []),
    ...(isDeleted && record.isOneShot && story.dispatched.has(record.id) ? [`${prompt} was deleted and delivered`] : [])
  ]
}

const checkSaying = ({ text, queued }: Saying, { events }: Seen): ReadonlyArray<string> => {
  const times = messagesOf(events).filter((message) => message.text === text).length
  if (queued === "acknowledged" && times === 0) return [`"${text}" was acknowledged, and is lost`]
  if (queued === "refused" && times > 0) return [`"${text}" was refused, and queued`]
  return times > 1 ? [`"${text}" was queued ${times} times`] : []
}

/** What a transcript showed once, it shows for ever. */
const checkShown = (ledger: Ledger, { session, events }: Seen): ReadonlyArray<string> => {
  const shown = ledger.shown.get(session)?.events ?? []
  const changed = shown.find((event, place) => JSON.stringify(event) !== JSON.stringify(events[place]))
  return changed === undefined ? [] : [`event ${changed.seq} was shown once, and is another now`]
}

const mine = <A extends { readonly session: string }>(all: ReadonlyArray<A>, { session }: Seen): ReadonlyArray<A> =>
  all.filter((one) => one.session === session)

/** All that is wrong with a Session; nothing, if all is well. */
export const checkSession = (ledger: Ledger, seen: Seen): ReadonlyArray<string> => {
  const story = tell(seen)
  return [
    ...checkLog(seen, story),
    ...checkTimes(seen, story),
    ...checkTurns(seen),
    ...checkTools(seen, story),
    ...checkShown(ledger, seen),
    ...mine(ledger.claims, seen).flatMap((claim) => checkClaim(claim, story)),
    ...mine(ledger.sayings, seen).flatMap((saying) => checkSaying(saying, seen))
  ].map((fault) => `${seen.session}: ${fault}`)
}

/** What SQLite says about the file. */
export const checkFile = (file: string): ReadonlyArray<string> => {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const rows = database.prepare("PRAGMA integrity_check").all()
    return rows.map((row) => String(row["integrity_check"])).filter((line) => line !== "ok")
  } finally {
    database.close()
  }
}

/** How many reminders came to what, over all Sessions. */
export const counts = (ledger: Ledger, all: ReadonlyArray<Seen>): Counts => {
  const stories = all.map(tell)
  const sum = (size: (story: Story) => number) => stories.reduce((total, story) => total + size(story), 0)
  return {
    answered: ledger.calls.answered,
    acknowledged: ledger.claims.filter(({ created }) => created === "acknowledged").length,
    unknown: ledger.claims.filter(({ created }) => created === "unknown").length,
    delivered: sum(({ presented }) => [...presented.values()].reduce((total, times) => total + times, 0)),
    active: all.reduce((total, { views }) => total + views.length, 0),
    deleted: sum(({ deleted }) => deleted.size)
  }
}
