import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import * as Calendar from "../../src/domain/Calendar.ts"
import * as Instant from "../../src/domain/Instant.ts"
import * as WallTime from "../../src/domain/WallTime.ts"
import * as Dialogue from "../../src/host/localModel/Dialogue.ts"
import type { Intent } from "../../src/host/localModel/Intent.ts"
import * as TimeContext from "../../src/host/TimeContext.ts"
import { instant, NOW } from "./LocalModelChat.ts"

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const
const SHANGHAI = "Asia/Shanghai"
const understand = (text: string, zone: string | null = SHANGHAI, now = NOW): Intent => {
  const [intent, ...others] = Dialogue.understand(text, { now, zone: Option.fromNullishOr(zone) })
  assert.isTrue(intent !== undefined && others.length === 0, "one intent")
  return intent as Intent
}

/** The selector that a request gives, without the prompt. */
const selectorOf = (text: string, zone?: string | null, now?: Instant.Instant): unknown => {
  const intent = understand(text, zone, now)
  if (intent.kind !== "create") return intent
  const { prompt: _, ...selector } = intent.request
  return selector
}

const promptOf = (text: string): unknown => {
  const intent = understand(text)
  return intent.kind === "create" ? intent.request.prompt : intent
}

const at = (date: string, time: string, time_zone = SHANGHAI) => ({ at: { date, time, time_zone } })

describe("a delay", () => {
  it.each([
    ["remind me in 3 seconds to stretch", 3],
    ["in 10 minutes remind me to stretch", 600],
    ["Please remind me in ten seconds to stretch, thanks!", 10],
    ["hey, can you please remind me in 5 min to stretch?", 300],
    ["remind me to stretch in an hour", 3_600],
    ["remind me in half an hour to stretch", 1_800],
    ["remind me in an hour and a half to stretch", 5_400],
    ["remind me in 1.5 hours to stretch", 5_400],
    ["remind me in 1h30m to stretch", 5_400],
    ["remind me in 1.1 hours to stretch", 3_960],
    ["remind me in 2 and a half minutes to stretch", 150],
    ["remind me in 1 hour, 5 minutes and 7 seconds to stretch", 3_907],
    ["remind me in a quarter of an hour to stretch", 900],
    ["remind me in a couple of minutes to stretch", 120],
    ["remind me in about 10 minutes to stretch", 600],
    ["remind me 10 minutes from now to stretch", 600],
    ["remind me in 2 days to stretch", 172_800],
    ["remind me in 3 weeks to stretch", 1_814_400],
    ["set a reminder in 20 minutes to stretch", 1_200],
    ["in 10 seconds remind me: stretch", 10]
  ])("%s", (text, after_seconds) => {
    for (const zone of [SHANGHAI, null]) assert.deepStrictEqual(selectorOf(text, zone), { after_seconds })
    assert.strictEqual(promptOf(text), "stretch")
  })

  it.prop(
    "any number of any unit is that many seconds",
    [
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 })),
      Schema.Literals(["second", "minute", "hour", "day", "week"])
    ],
    ([amount, unit]) => {
      const seconds = { second: 1, minute: 60, hour: 3_600, day: 86_400, week: 604_800 }[unit]
      const text = `remind me in ${amount} ${unit}${amount === 1 ? "" : "s"} to stretch`
      assert.deepStrictEqual(selectorOf(text), { after_seconds: amount * seconds })
    }
  )
})

describe("a date and a time, on Monday 30 November 2026 at 20:00", () => {
  it.each([
    ["remind me tomorrow at 9 to call Ann", "2026-12-01", "09:00:00"],
    ["tomorrow at 9 please remind me to call Ann", "2026-12-01", "09:00:00"],
    ["Remind me to call Ann tomorrow at 9.", "2026-12-01", "09:00:00"],
    ["remind me tomorrow to call Ann at 9", "2026-12-01", "09:00:00"],
    ["remind me at 9 tomorrow to call Ann", "2026-12-01", "09:00:00"],
    ["set a reminder for tomorrow at 9 to call Ann", "2026-12-01", "09:00:00"],
    ["I have a cold. Remind me tomorrow at 9 to call Ann", "2026-12-01", "09:00:00"],
    ["remind me the day after tomorrow at 9 to call Ann", "2026-12-02", "09:00:00"],
    ["remind me in 2 days at 9 to call Ann", "2026-12-02", "09:00:00"],
    ["remind me three days from now at 9 to call Ann", "2026-12-03", "09:00:00"],
    ["remind me in 2 months at 9 to call Ann", "2027-01-30", "09:00:00"],
    ["remind me on 3 January 2027 at 17:30 to call Ann", "2027-01-03", "17:30:00"],
    ["remind me on January 3rd, 2027 at 5:30pm to call Ann", "2027-01-03", "17:30:00"],
    ["remind me on Dec 25 at 8am: call Ann", "2026-12-25", "08:00:00"],
    ["remind me on 1 June at 9 to call Ann", "2027-06-01", "09:00:00"],
    ["remind me on 30 November at 9 to call Ann", "2027-11-30", "09:00:00"],
    ["remind me on 2027-01-02 at 09:00 to call Ann", "2027-01-02", "09:00:00"],
    ["remind me on 2027-01-02T09:00 to call Ann", "2027-01-02", "09:00:00"],
    ["remind me on 29 February 2028 at 9 to call Ann", "2028-02-29", "09:00:00"],
    ["remind me on Monday, 7 December at 9 to call Ann", "2026-12-07", "09:00:00"],
    ["remind me on Friday at noon to call Ann", "2026-12-04", "12:00:00"],
    ["remind me at 9:30 on Tuesday to call Ann", "2026-12-01", "09:30:00"],
    ["remind me next week on Tuesday at 9 to call Ann", "2026-12-08", "09:00:00"],
    ["remind me on the 15th at 10 to call Ann", "2026-12-15", "10:00:00"],
    ["remind me on the 31st at 10 to call Ann", "2026-12-31", "10:00:00"],
    ["remind me at 9pm to call Ann", "2026-11-30", "21:00:00"],
    ["remind me at 21:30 to call Ann", "2026-11-30", "21:30:00"],
    ["remind me at 9 in the evening to call Ann", "2026-11-30", "21:00:00"],
    ["remind me at 9:00:30 pm to call Ann", "2026-11-30", "21:00:30"],
    ["remind me tonight at 9 to call Ann", "2026-11-30", "21:00:00"],
    ["remind me tomorrow morning at 7:15 to call Ann", "2026-12-01", "07:15:00"],
    ["remind me at half past nine to call Ann", "2026-12-01", "09:30:00"],
    ["remind me at quarter to nine to call Ann", "2026-12-01", "08:45:00"],
    ["remind me at nine to call Ann", "2026-12-01", "09:00:00"],
    ["remind me at 9 o'clock sharp to call Ann", "2026-12-01", "09:00:00"],
    ["remind me at 17h30 to call Ann", "2026-12-01", "17:30:00"],
    ["remind me at 0915 to call Ann", "2026-12-01", "09:15:00"],
    ["remind me at 9, call Ann", "2026-12-01", "09:00:00"]
  ])("%s", (text, date, time) => {
    assert.deepStrictEqual(selectorOf(text), at(date, time))
    assert.strictEqual(promptOf(text), "call Ann")
  })

  it.each([
    ["at 9", "2026-12-01", "09:00:00"],
    ["at 20:00", "2026-12-01", "20:00:00"],
    ["at 20:01", "2026-11-30", "20:01:00"],
    ["at midnight", "2026-12-01", "00:00:00"],
    ["on Monday at 9", "2026-12-07", "09:00:00"],
    ["on Monday at 21:00", "2026-11-30", "21:00:00"],
    ["on the 30th at 9", "2026-12-30", "09:00:00"]
  ])("what is past today is meant for the next time: %s", (when, date, time) => {
    assert.deepStrictEqual(selectorOf(`remind me ${when} to call Ann`), at(date, time))
  })

  it("a day that was named stays that day, though it be past: the tool refuses it", () => {
    assert.deepStrictEqual(selectorOf("remind me today at 9 to call Ann"), at("2026-11-30", "09:00:00"))
    assert.deepStrictEqual(selectorOf("remind me on 3 January 2026 at 9 to call Ann"), at("2026-01-03", "09:00:00"))
  })

  it("a time inside a gap is passed on as it was said", () => {
    const now = instant("2026-03-07T12:00:00.000Z")
    assert.deepStrictEqual(
      selectorOf("remind me tomorrow at 2:30 to call Ann", "America/New_York", now),
      at("2026-03-08", "02:30:00", "America/New_York")
    )
  })

  it.each(["2026-12-01T09:00:00+08:00", "2026-12-01T09:00:00Z", "2026-12-01T09:00:00.250-05:30"])(
    "a time with an offset is passed on as it is: %s",
    (text) => {
      for (const zone of [SHANGHAI, null]) {
        assert.deepStrictEqual(selectorOf(`remind me at ${text} to call Ann`, zone), { at: text })
        assert.deepStrictEqual(selectorOf(`remind me to call Ann at ${text}`, zone), { at: text })
      }
    }
  )

  const Minutes = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_439 }))
  const Now = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4_102_444_800_000 }))
  const Zone = Schema.Literals(["UTC", "Asia/Shanghai", "America/New_York", "Pacific/Kiritimati", "Asia/Kathmandu"])
  const clockOf = (minutes: number): string => Instant.formatTime(minutes * 60_000).slice(0, 5)

  it.prop(
    "a time of day alone is the next one on the clocks of the zone",
    [Minutes, Now, Zone],
    ([m, millis, zone]) => {
      const now = Instant.clamp(millis)
      const local = Option.getOrThrow(TimeContext.localTime(now, zone))
      const isLater = m * 60_000 > local.millis
      const date = Instant.formatDate(local.days + (isLater ? 0 : 1))
      const selector = selectorOf(`remind me at ${clockOf(m)} to call Ann`, zone, now)
      assert.deepStrictEqual(selector, at(date, `${clockOf(m)}:00`, zone))
    }
  )

  it.prop("a date that is written out is that date", [Minutes, Now, Now, Zone], ([m, millis, then, zone]) => {
    const days = Math.floor(then / Calendar.DAY_MILLIS)
    const { year, month, day } = Calendar.fromDays(days)
    const name = "January February March April May June July August September October November December".split(" ")
    const text = `remind me on ${day} ${name[month - 1]} ${year} at ${clockOf(m)} to call Ann`
    const selector = selectorOf(text, zone, Instant.clamp(millis))
    assert.deepStrictEqual(selector, at(Instant.formatDate(days), `${clockOf(m)}:00`, zone))
  })

  it.prop(
    "a weekday alone is the next such day, at most a week away",
    [Minutes, Now, Zone, Schema.Literals(WEEKDAYS)],
    ([m, millis, zone, weekday]) => {
      const now = Instant.clamp(millis)
      const local = Option.getOrThrow(TimeContext.localTime(now, zone))
      const selector = selectorOf(`remind me on ${weekday} at ${clockOf(m)} to call Ann`, zone, now)
      const { date } = (selector as ReturnType<typeof at>).at
      const days = Option.getOrThrow(WallTime.parseDate(date))
      const wait = (days - local.days) * Calendar.DAY_MILLIS + m * 60_000 - local.millis
      assert.isTrue(wait > 0 && wait <= 7 * Calendar.DAY_MILLIS)
      assert.strictEqual(
        new Date(`${date}T00:00:00Z`).getUTCDay() % 7,
        ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"].indexOf(weekday)
      )
    }
  )
})

describe("a rule", () => {
  const daily = (time: string) => ({ daily: { time, time_zone: SHANGHAI } })
  const weekly = (time: string, weekdays: ReadonlyArray<number>) => ({
    weekly: { time, time_zone: SHANGHAI, weekdays }
  })
  const cron = (expression: string) => ({ cron: { expression, time_zone: SHANGHAI } })

  it.each([
    ["every 10 minutes remind me to run", { every_seconds: 600 }],
    ["remind me to run every 90 minutes", { every_seconds: 5_400 }],
    ["remind me every hour to run", { every_seconds: 3_600 }],
    ["remind me hourly to run", { every_seconds: 3_600 }],
    ["remind me every half hour to run", { every_seconds: 1_800 }],
    ["remind me every 2 days to run", { every_seconds: 172_800 }],
    ["remind me every week to run", { every_seconds: 604_800 }],
    ["remind me every 2 minutes to run", { every_seconds: 120 }],
    ["remind me every day at 9 to run", daily("09:00:00")],
    ["every day at 9 remind me to run", daily("09:00:00")],
    ["remind me to run every day at noon", daily("12:00:00")],
    ["remind me to run at 11pm every day", daily("23:00:00")],
    ["remind me every day to run at 8", daily("08:00:00")],
    ["remind me daily at 9:00:30 to run", daily("09:00:30")],
    ["remind me every morning at 7 to run", daily("07:00:00")],
    ["remind me every evening at 8 to run", daily("20:00:00")],
    ["remind me every weekday at 18:00 to run", weekly("18:00:00", [1, 2, 3, 4, 5])],
    ["remind me every weekend at 10 to run", weekly("10:00:00", [6, 7])],
    ["every Monday and Thursday at 7:30 remind me to run", weekly("07:30:00", [1, 4])],
    ["remind me every Mon, Wed, and Fri at 6:45am to run", weekly("06:45:00", [1, 3, 5])],
    ["remind me every Monday to Friday at 9 to run", weekly("09:00:00", [1, 2, 3, 4, 5])],
    ["remind me every Saturday through Monday at 9 to run", weekly("09:00:00", [1, 6, 7])],
    ["remind me to run every Sunday at 10am", weekly("10:00:00", [7])],
    ["remind me on Fridays at 5pm to run", weekly("17:00:00", [5])],
    ["remind me every week on Monday at 9 to run", weekly("09:00:00", [1])],
    ["remind me on Monday every week at 9 to run", weekly("09:00:00", [1])],
    ["remind me on the 1st of every month at 10 to run", cron("0 10 1 * *")],
    ["remind me on the first of every month at 10 to run", cron("0 10 1 * *")],
    ["remind me on the 1st and 15th of each month at 10:30 to run", cron("30 10 1,15 * *")],
    ["remind me every month on the 5th at 9 to run", cron("0 9 5 * *")],
    ["remind me monthly on the 5th at 9 to run", cron("0 9 5 * *")],
    ["remind me every year on 25 December at 9 to run", cron("0 9 25 12 *")],
    ["remind me every 25 December at 9 to run", cron("0 9 25 12 *")]
  ])("%s", (text, selector) => {
    assert.deepStrictEqual(selectorOf(text), selector)
    assert.strictEqual(promptOf(text), "run")
  })

  it.each([
    "every 3 months on the last Friday",
    "every other day at 9",
    "on the last day of every month at 9",
    "every 15 minutes between 9 and 17",
    "every Monday until June at 9",
    "every second Tuesday at 9",
    "on the 1st of every month at 09:00:30"
  ])("what cannot be expressed is said: %s", (when) => {
    for (const text of [`remind me ${when} to run`, `remind me to run ${when}`, `${when} remind me to run`]) {
      const intent = understand(text)
      assert.isTrue(intent.kind === "say" && intent.text.startsWith("I have no rule for that."), text)
    }
  })
})

describe("a zone", () => {
  it.each([
    ["remind me tomorrow at 9 in Asia/Tokyo to call Ann", "Asia/Tokyo"],
    ["remind me tomorrow at 9 (Europe/Paris) to call Ann", "Europe/Paris"],
    ["remind me tomorrow at 9 america/new_york time to call Ann", "america/new_york"],
    ["remind me to call Ann tomorrow at 9 in America/Argentina/Salta", "America/Argentina/Salta"],
    ["remind me tomorrow at 9 to call Ann, Asia/Tokyo", "Asia/Tokyo"],
    ["remind me tomorrow at 9 in Tokyo to call Ann", "Asia/Tokyo"],
    ["remind me tomorrow at 9 New York time to call Ann", "America/New_York"],
    ["remind me tomorrow at 9 in Kolkata to call Ann", "Asia/Kolkata"],
    ["remind me to call Ann tomorrow at 9 in Tokyo", "Asia/Tokyo"],
    ["remind me tomorrow at 9 UTC to call Ann", "UTC"],
    ["remind me tomorrow at 9 in UTC to call Ann", "UTC"]
  ])("that is named counts before the one of the turn: %s", (text, zone) => {
    for (const turn of [SHANGHAI, null])
      assert.deepStrictEqual(selectorOf(text, turn), at("2026-12-01", "09:00:00", zone))
    assert.strictEqual(promptOf(text), "call Ann")
  })

  it("the day is the one of the zone that is named", () => {
    assert.deepStrictEqual(
      selectorOf("remind me tomorrow at 9 in Pacific/Kiritimati to call Ann"),
      at("2026-12-02", "09:00:00", "Pacific/Kiritimati")
    )
  })

  it("a city in the reminder is no zone", () => {
    assert.strictEqual(promptOf("remind me to meet Bob in Tokyo at 9"), "meet Bob in Tokyo")
    assert.strictEqual(promptOf("remind me at 9 to meet Bob in Tokyo"), "meet Bob in Tokyo")
    assert.strictEqual(promptOf("remind me at 9 to review client/Server"), "review client/Server")
  })

  it.each([
    ["remind me at 9 EST to call Ann", "EST"],
    ["remind me at 9 GMT+8 to call Ann", "GMT+8"],
    ["remind me tomorrow at 9:00 +08:00 to call Ann", "+08:00"],
    ["remind me at 9 in Mars/Olympus to call Ann", "Mars/Olympus"]
  ])("an abbreviation, an offset or an unknown name is asked about: %s", (text, name) => {
    assert.deepStrictEqual(understand(text), {
      kind: "ask",
      question: "zone",
      remark: `I do not know the time zone "${name}".`
    })
  })

  it.each(["tomorrow at 9", "every day at 9", "every Monday at 9", "on the 1st of every month at 9"])(
    "none is known: it is asked for, for %s",
    (when) => {
      assert.deepStrictEqual(understand(`remind me ${when} to call Ann`, null), {
        kind: "ask",
        question: "zone",
        remark: null
      })
    }
  )
})

describe("what to be reminded of", () => {
  it.each([
    ["remind me in 5 minutes to call Ann and then Bob", "call Ann and then Bob", "to"],
    ["remind me about the meeting at 3pm", "the meeting", "about"],
    ["remind me of the meeting at 3pm", "the meeting", "of"],
    ["remind me at 3pm that the oven is on", "the oven is on", "that"],
    ["remind me in 5 minutes to ask: is it ready?", "ask: is it ready?", "to"],
    ["could you remind me in 5 minutes to check the oven?", "check the oven", "to"],
    ['remind me in 5 minutes to "stretch"', "stretch", "to"],
    ["remind me in 5 minutes to remind me to stretch tomorrow", "remind me to stretch tomorrow", "to"],
    ["remind me in 5 minutes to cancel schedule-2", "cancel schedule-2", "to"],
    ["remind me in 5 minutes to buy:\n- milk\n- eggs", "buy:\n- milk\n- eggs", "to"],
    ["remind me in 5 minutes to read chapter 5 of 'May'", "read chapter 5 of 'May'", "to"]
  ])("%j", (text, prompt, link) => {
    const intent = understand(text)
    assert.isTrue(intent.kind === "create")
    if (intent.kind === "create") assert.deepStrictEqual([intent.request.prompt, intent.link], [prompt, link])
  })

  it("several sentences are several reminders", () => {
    const intents = Dialogue.understand("Remind me in 5 minutes to stretch. Please remind me in 10 minutes to drink.", {
      now: NOW,
      zone: Option.none()
    })
    assert.deepStrictEqual(
      intents.map((intent) => intent.kind === "create" && intent.request),
      [
        { prompt: "stretch", after_seconds: 300 },
        { prompt: "drink", after_seconds: 600 }
      ]
    )
  })
})

describe("what is left open", () => {
  it.each([
    ["remind me to stretch", "when"],
    ["remind me", "when"],
    ["remind me to read chapter 5", "when"],
    ["remind me to enjoy the sun", "when"],
    ["remind me to call May", "when"],
    ["remind me on Friday to stretch", "time"],
    ["remind me to stretch tomorrow", "time"],
    ["remind me in the morning to stretch", "time"],
    ["remind me every day to stretch", "time"],
    ["remind me on the 1st of every month to stretch", "time"],
    ["remind me every year on 3 March to stretch", "time"],
    ["remind me in 2 months to stretch", "time"],
    ["remind me in 5 minutes", "what"],
    ["remind me tomorrow at 9", "what"],
    ["every day at 9", "what"]
  ] as const)("%s: it asks for the %s", (text, question) => {
    assert.deepStrictEqual(understand(text), { kind: "ask", question, remark: null })
  })

  it.each([
    "when I get home",
    "at 9 or 10",
    "at 25",
    "in 10",
    "now",
    "yesterday at 9",
    "last Friday at 9",
    "before 9",
    "on 30 February at 9",
    "someday"
  ])("a time that is not understood is named: %s", (when) => {
    const remark = `I do not understand the time "${when}".`
    assert.deepStrictEqual(understand(`remind me ${when} to stretch`), { kind: "ask", question: "when", remark })
  })
})

it("a stretch of time is no time to be reminded at", () => {
  const intent = understand("remind me tomorrow from 9 to 10 to stretch")
  assert.isTrue(intent.kind === "ask" && intent.question === "when")
})

describe("a command", () => {
  it.each([
    "list my reminders",
    "What reminders do I have?",
    "show all reminders",
    "reminders",
    "please list reminders"
  ])("%s lists", (text) => {
    assert.deepStrictEqual(understand(text), { kind: "list" })
  })

  it.each([
    ["delete schedule-2", "schedule-2"],
    ["cancel Schedule-2, please", "schedule-2"],
    ["remove reminder 2", "schedule-2"],
    ["stop the reminder schedule-12.", "schedule-12"]
  ])("%s deletes by id", (text, id) => {
    assert.deepStrictEqual(understand(text), { kind: "delete", id })
  })

  it.each([
    ["cancel the reminder to call Ann", "call Ann"],
    ["delete my reminder about the meeting", "the meeting"],
    ["cancel the dentist reminder", "dentist"],
    ["stop reminding me to call Ann", "call Ann"],
    ["don't remind me to call Ann", "call Ann"],
    ["don't remind me about the call with Ann", "the call with Ann"],
    ["cancel all my reminders", null],
    ["delete everything", null]
  ])("%s looks for the reminder", (text, wanted) => {
    assert.deepStrictEqual(understand(text), { kind: "cancel", wanted })
  })

  it.each([
    "hello",
    "what time is it?",
    "tell me a joke",
    "Asia/Tokyo",
    "schedule-2",
    "",
    "   ",
    "can I trust you to remind me?"
  ])("anything else gets one sentence with examples: %j", (text) => {
    const intent = understand(text)
    assert.isTrue(intent.kind === "say" && intent.text.includes("remind me in 10 minutes to stretch"))
  })
})

it("any text is understood somehow", () => {
  for (const piece of [
    " ",
    "\n",
    "a ",
    "remind me ",
    "at 9 ",
    "to ",
    "and ",
    ". ",
    "1, ",
    "in Tokyo ",
    "schedule-1 ",
    "hey "
  ]) {
    for (const [before, after] of [
      ["", ""],
      ["remind me ", ""],
      ["remind me to x ", " at 9"],
      ["cancel ", " reminder"]
    ] as const) {
      const text = `${before}${piece.repeat(20_000)}${after}`
      assert.isNotEmpty(Dialogue.understand(text, { now: NOW, zone: Option.none() }))
    }
  }
})
