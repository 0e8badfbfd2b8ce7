/**
 * When a reminder is due, written anew and as plainly as can be: the product must agree with it. Its zones have no
 * daylight saving.
 */

export type Zone = "UTC" | "Asia/Shanghai"

export interface CalendarRule {
  readonly kind: "daily" | "weekly" | "cron"
  readonly zone: Zone
  readonly minutes: ReadonlyArray<number>
  readonly hours: ReadonlyArray<number>
  /** 1 is Monday, 7 Sunday. */
  readonly weekdays: ReadonlyArray<number>
}

export type Rule =
  | { readonly kind: "after"; readonly seconds: number }
  | { readonly kind: "at"; readonly instant: number }
  | { readonly kind: "every"; readonly seconds: number }
  | CalendarRule

const MINUTE = 60_000
const HOUR = 3_600_000
const DAY = 86_400_000
const OFFSETS: Readonly<Record<Zone, number>> = { UTC: 0, "Asia/Shanghai": 8 * 3_600_000 }

/** A rule that nothing has. */
export const NEVER: Rule = { kind: "every", seconds: Number.MAX_SAFE_INTEGER }

/** Whether the reminder ends with its delivery. */
export const isOnce = ({ kind }: Rule): boolean => kind === "after" || kind === "at"

const floor = (instant: number, step: number): number => Math.floor(instant / step) * step

/** The first of 1970 was a Thursday. */
const weekday = (local: number): number => ((Math.floor(local / DAY) + 3) % 7) + 1

/** The local minute from which on, or back from which, a rule that does not mean this one may mean another. */
const skip = (rule: CalendarRule, at: number): number | undefined => {
  if (!rule.weekdays.includes(weekday(at))) return DAY
  if (!rule.hours.includes(Math.floor((at % DAY) / HOUR))) return HOUR
  return rule.minutes.includes(Math.floor((at % HOUR) / MINUTE)) ? undefined : MINUTE
}

const lastUpTo = (rule: CalendarRule, local: number): number => {
  let at = floor(local, MINUTE)
  for (let unit = skip(rule, at); unit !== undefined; unit = skip(rule, at)) at = floor(at, unit) - MINUTE
  return at
}

const firstFrom = (rule: CalendarRule, local: number): number => {
  let at = local
  for (let unit = skip(rule, at); unit !== undefined; unit = skip(rule, at)) at = floor(at, unit) + unit
  return at
}

/** The last occurrence at or before an instant; `anchor` is any one of an interval's. */
export const latest = (rule: Rule, anchor: number, now: number): number => {
  if (rule.kind === "after" || rule.kind === "at") return anchor
  if (rule.kind === "every") return anchor + floor(now - anchor, rule.seconds * 1_000)
  return lastUpTo(rule, now + OFFSETS[rule.zone]) - OFFSETS[rule.zone]
}

/** The first occurrence after an instant. */
export const next = (rule: Rule, anchor: number, now: number): number => {
  if (rule.kind === "after" || rule.kind === "at") return anchor
  if (rule.kind === "every") return latest(rule, anchor, now) + rule.seconds * 1_000
  return firstFrom(rule, floor(now, MINUTE) + MINUTE + OFFSETS[rule.zone]) - OFFSETS[rule.zone]
}

const isOccurrence = (rule: Rule, instant: number): boolean => latest(rule, instant, instant) === instant

/** Whether an instant can be an occurrence of a rule that was made between two instants of the clock. */
export const canBe = (rule: Rule, instant: number, earliest: number, last: number): boolean => {
  if (rule.kind !== "every")
    return rule.kind === "after" || rule.kind === "at"
      ? isTarget(rule, instant, earliest, last)
      : isOccurrence(rule, instant) && instant > earliest
  const interval = rule.seconds * 1_000
  const made = instant - interval
  return made >= earliest && (made <= last || made - Math.ceil((made - last) / interval) * interval >= earliest)
}

/** Whether a target is what a rule makes of a clock that showed something between two instants. */
export const isTarget = (rule: Rule, target: number, earliest: number, last: number): boolean => {
  if (rule.kind === "at") return target === rule.instant && target > earliest
  if (rule.kind === "after" || rule.kind === "every") {
    const made = target - rule.seconds * 1_000
    return earliest <= made && made <= last
  }
  return isOccurrence(rule, target) && target > earliest && latest(rule, 0, target - 1) <= last
}

const pad = (n: number): string => String(n).padStart(2, "0")

/** The `schedule_create` arguments that mean it. */
export const toArguments = (rule: Rule): Readonly<Record<string, unknown>> => {
  switch (rule.kind) {
    case "after":
      return { after_seconds: rule.seconds }
    case "at":
      return { at: new Date(rule.instant).toISOString() }
    case "every":
      return { every_seconds: rule.seconds }
    case "cron": {
      const weekdays = rule.weekdays.length === 7 ? "*" : rule.weekdays.join(",")
      const hours = rule.hours.length === 24 ? "*" : rule.hours.join(",")
      return { cron: { expression: `${rule.minutes.join(",")} ${hours} * * ${weekdays}`, time_zone: rule.zone } }
    }
    default: {
      const time = `${pad(rule.hours[0] ?? 0)}:${pad(rule.minutes[0] ?? 0)}:00`
      const { weekdays, zone } = rule
      return rule.kind === "daily"
        ? { daily: { time, time_zone: zone } }
        : { weekly: { time, time_zone: zone, weekdays } }
    }
  }
}
