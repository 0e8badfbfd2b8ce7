import { afterAll, afterEach, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Browser, BrowserContextOptions } from "playwright-core"
import * as Chromium from "./Chromium.ts"
import * as HostProcess from "./HostProcess.ts"
import * as Visitor from "./Visitor.ts"

let browser: Browser
let host: HostProcess.HostProcess
let visitors: Array<Visitor.Visitor> = []

beforeAll(async () => {
  ;[browser, host] = await Promise.all([Chromium.launch(), HostProcess.start()])
}, 300_000)

afterAll(async () => {
  await browser?.close()
  await host?.remove()
})

afterEach(async () => {
  const complaints = visitors.flatMap(({ complaints }) => complaints)
  await Promise.all(visitors.map(({ leave }) => leave()))
  visitors = []
  assert.deepStrictEqual(complaints, [])
})

const request = async (method: string, path: string, body?: unknown): Promise<any> => {
  const content = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(`${host.url}${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...content
  })
  assert.isTrue(response.ok, `${method} ${path}: ${response.status}`)
  return response.status === 204 ? undefined : response.json()
}

const create = (id: string) => request("POST", "/sessions", { id })
const remind = (id: string, reminder: unknown) => request("POST", `/sessions/${id}/reminders`, reminder)
const reminders = async (id: string): Promise<ReadonlyArray<any>> =>
  (await request("GET", `/sessions/${id}/timeline`)).reminders.map(({ reminder }: { reminder: unknown }) => reminder)
const stateOf = async (id: string): Promise<string> => (await request("GET", `/sessions/${id}`)).state

const shanghai = { timezoneId: "Asia/Shanghai" }
const newYork = { timezoneId: "America/New_York" }

const visit = async (id: string, options: BrowserContextOptions = shanghai) => {
  const visitor = await Visitor.visit(browser, `${host.url}/?session=${id}`, options)
  visitors.push(visitor)
  return visitor
}

/** The row of a reminder on the time line. */
const row = ({ page }: Visitor.Visitor, prompt: string) => page.locator("#reminder-list li", { hasText: prompt })

const localTime = (instant: string, timeZone: string): string =>
  new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "short" }).format(new Date(instant))

/** A part of the time line: 0 is now. */
const placeOf = async (visitor: Visitor.Visitor, prompt: string): Promise<number> =>
  parseFloat(
    await row(visitor, prompt)
      .locator(".next")
      .evaluate((mark) => mark.style.left)
  ) / 100

describe("The page", () => {
  for (const options of [shanghai, newYork]) {
    const zone = options.timezoneId
    it(`takes a reminder in the words and the time of ${zone}, and shows it on the time line`, async () => {
      const id = zone.replace("/", "-")
      await create(id)
      const visitor = await visit(id, options)
      await visitor.say("remind me tomorrow at 9 to call Ann")
      assert.include(await visitor.answers(1), `09:00 (${zone})`)
      const shown = row(visitor, "call Ann")
      await shown.waitFor()
      assert.match(await shown.locator(".when").innerText(), /^09:00\s+Tomorrow\s+in \d/u)
      const [reminder] = await reminders(id)
      assert.strictEqual(localTime(reminder.scheduledAt, zone), "09:00")
      await visitor.page.getByText("Week", { exact: true }).click()
      const expected = (Date.parse(reminder.scheduledAt) - Date.now()) / (7 * 86_400_000)
      assert.closeTo(await placeOf(visitor, "call Ann"), expected, 0.01)
    })
  }

  it("shows one reminder in the local time of each who looks, with its rule and zone", async () => {
    await create("shared")
    const rule = { expression: "30 14 * * MON-FRI", time_zone: "Asia/Shanghai" }
    const { scheduledAt } = await remind("shared", { prompt: "stand-up", cron: rule })
    for (const options of [shanghai, newYork]) {
      const shown = row(await visit("shared", options), "stand-up")
      assert.strictEqual(await shown.locator(".when b").innerText(), localTime(scheduledAt, options.timezoneId))
      const words = await shown.locator(".rule").innerText()
      assert.match(words, /^every weekday at 14:30\s+30 14 \* \* 1-5\s+Asia\/Shanghai/u)
      assert.strictEqual(words.includes("14:30 there"), options === newYork)
      assert.strictEqual(await shown.locator(".then time").count(), 3)
    }
  })

  it("shows a reminder that comes due, live, also after a reload", async () => {
    await create("live")
    const visitor = await visit("live")
    await visitor.say("remind me in 2 seconds to stretch")
    await visitor.answers(1)
    await visitor.page.reload()
    await visitor.page.locator(".due", { hasText: "stretch" }).waitFor()
    assert.strictEqual(await visitor.answers(2), "Reminder: stretch")
    await row(visitor, "stretch").waitFor({ state: "detached" })
    assert.strictEqual(await visitor.page.locator(".said").count(), 1)
  })

  it("says that the host is gone, goes on when it is back, and shows what came due once it is opened", async () => {
    await create("restarted")
    const visitor = await visit("restarted")
    const { page } = visitor
    await visitor.say("remind me in 5 seconds to drink")
    await visitor.answers(1)
    await row(visitor, "drink").waitFor()
    await host.stop("SIGKILL")
    await page.getByRole("status").filter({ hasText: "Trying again" }).waitFor()
    await host.start()
    await page.locator(".connection.lost").waitFor({ state: "detached" })
    await row(visitor, "drink").getByText("Waits until this Session is opened.").waitFor()
    assert.strictEqual(await stateOf("restarted"), "cold")
    await page.getByRole("button", { name: "Open" }).click()
    await page.locator(".due", { hasText: "drink" }).waitFor()
    assert.match(await visitor.answers(2), /^Reminder: drink/u)
    assert.strictEqual(await page.locator(".said").count(), 1)
    assert.strictEqual(await page.locator(".due").count(), 1)
  })

  it("wakes no cold Session by showing it", async () => {
    await create("asleep")
    await remind("asleep", { prompt: "nap", daily: { time: "14:00:00", time_zone: "Europe/Paris" } })
    await request("POST", "/sessions/asleep/close")
    const visitor = await visit("asleep")
    await row(visitor, "nap").waitFor()
    assert.isFalse(await visitor.page.getByLabel("Your message").isVisible())
    assert.isFalse(await row(visitor, "nap").getByRole("button").isVisible())
    assert.strictEqual(await stateOf("asleep"), "cold")
    await visitor.page.getByRole("button", { name: "Open" }).click()
    await visitor.page.getByLabel("Your message").waitFor()
    assert.strictEqual(await stateOf("asleep"), "live")
  })

  it("deletes a reminder when it is told so twice", async () => {
    await create("deleted")
    for (const prompt of ["first", "second"]) await remind("deleted", { prompt, after_seconds: 3_600 })
    const visitor = await visit("deleted")
    const button = row(visitor, "first").getByRole("button")
    await button.click()
    assert.strictEqual((await reminders("deleted")).length, 2)
    await button.click()
    await row(visitor, "first").waitFor({ state: "detached" })
    assert.deepStrictEqual(
      (await reminders("deleted")).map(({ prompt }) => prompt),
      ["second"]
    )
  })

  it("makes a reminder by hand, and says in the host's words why one can't be made", async () => {
    await create("by-hand")
    const visitor = await visit("by-hand")
    const form = visitor.page.locator("#create")
    await form.getByText("New reminder").click()
    await form.getByLabel("Remind me to").fill("water the tomatoes")
    await form.getByText("Weekly").click()
    await form.getByLabel("Saturday").check({ force: true })
    await form.getByLabel("Time").fill("19:30")
    await form.getByLabel("Zone").fill("Nowhere")
    await form.getByRole("button", { name: "Create" }).click()
    await form.getByRole("alert").filter({ hasText: '"Nowhere" is not known' }).waitFor()
    await form.getByLabel("Zone").fill("Asia/Shanghai")
    await form.getByRole("button", { name: "Create" }).click()
    await row(visitor, "water the tomatoes").waitFor()
    const [reminder] = await reminders("by-hand")
    assert.deepInclude(reminder, { kind: "weekly", time: "19:30:00.000", weekdays: [1, 2, 3, 4, 5, 6] })
  })

  it("shows whatever anyone writes as text", async () => {
    await create("markup")
    const markup = `<script>document.title = "no"</script><img src=x onerror="document.title = 'no'">`
    await remind("markup", { prompt: markup, after_seconds: 2 })
    const visitor = await visit("markup")
    await visitor.say(markup)
    await visitor.answers(2)
    for (const place of [".said p", ".due p"]) {
      assert.strictEqual(await visitor.page.locator(place).innerText(), markup)
    }
    assert.strictEqual(await visitor.page.locator("main script, main img, main .message img").count(), 0)
    assert.strictEqual(await visitor.page.title(), "markup · session-schedule")
  })

  it("creates a Session, forks it, and goes back", async () => {
    await create("first-of-all")
    const visitor = await visit("first-of-all")
    const { page } = visitor
    await page.getByLabel("Name of a new Session").fill("parent")
    await page.getByLabel("Name of a new Session").press("Enter")
    await page.getByRole("heading", { name: "parent", exact: true }).waitFor()
    await visitor.say("hello")
    await visitor.answers(1)
    await page.getByRole("button", { name: "Fork" }).click()
    await page.getByRole("heading", { name: "parent-fork", exact: true }).waitFor()
    await visitor.answers(1)
    assert.strictEqual(await stateOf("parent-fork"), "cold")
    await page.goBack()
    await page.getByRole("heading", { name: "parent", exact: true }).waitFor()
    await page.locator("#session-list").getByRole("link", { name: "parent-fork" }).click()
    await page.getByRole("heading", { name: "parent-fork", exact: true }).waitFor()
  })

  it("shows the latest of a long conversation, and what was before on demand", async () => {
    await create("long")
    const texts = Array.from({ length: 60 }, (_, place) => `message ${place}.`)
    for (const text of texts) await request("POST", "/sessions/long/prompts", { text })
    const { page } = await visit("long")
    const last = page.getByText("message 59.", { exact: true })
    await last.waitFor()
    const first = page.getByText("message 0.", { exact: true })
    assert.strictEqual(await first.count(), 0)
    while (await page.getByRole("button", { name: "Show earlier messages" }).isVisible()) {
      const shown = await page.locator(".said").count()
      await page.getByRole("button", { name: "Show earlier messages" }).click()
      await page.locator(".said").nth(shown).waitFor()
    }
    assert.deepStrictEqual(await page.locator(".said p").allInnerTexts(), texts)
  })

  it("asks for the token of a host that wants one, and goes on with it", async () => {
    const guarded = await HostProcess.start({ SESSION_SCHEDULE_TOKEN: "secret" })
    try {
      const visitor = await Visitor.visit(browser, guarded.url, shanghai)
      visitors.push(visitor)
      for (const token of ["wrong", "secret"]) {
        await visitor.page.locator("#token-value").fill(token)
        await Promise.all([visitor.page.waitForEvent("load"), visitor.page.locator("#token-value").press("Enter")])
      }
      await visitor.say("hello")
      await visitor.answers(1)
    } finally {
      await guarded.remove()
    }
  })

  it("says that a Session is not there", async () => {
    const { page } = await visit("nobody")
    await page.getByRole("status").filter({ hasText: "There is no Session nobody" }).waitFor()
  })

  it("can be used by keyboard alone", async () => {
    await create("keys")
    const visitor = await visit("keys")
    const { page } = visitor
    const focused = page.locator(":focus")
    await page.keyboard.press("Tab")
    assert.strictEqual(await focused.innerText(), "Skip to your message")
    await page.keyboard.press("Enter")
    assert.strictEqual(await focused.getAttribute("id"), "say")
    await page.keyboard.type("remind me in 1 hour")
    await page.keyboard.press("Shift+Enter")
    await page.keyboard.type("to stretch")
    await page.keyboard.press("Enter")
    await row(visitor, "stretch").waitFor()
    assert.strictEqual(await page.locator(".said p").innerText(), "remind me in 1 hour\nto stretch")
    while ((await focused.innerText()) !== "New reminder") await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await page.locator("[name=prompt]:focus").waitFor()
    await page.keyboard.type("tea")
    await page.keyboard.press("Tab")
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("Tab")
    await page.keyboard.type("2")
    await page.keyboard.press("Enter")
    await row(visitor, "tea").getByText("every 2 hours").waitFor()
    await row(visitor, "tea").getByRole("button").focus()
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    await row(visitor, "tea").waitFor({ state: "detached" })
    assert.strictEqual(await focused.getAttribute("aria-label"), "Delete reminder: stretch")
  })

  it("fits on the smallest phone, one view at a time", async () => {
    await create("phone")
    await remind("phone", { prompt: "stretch", every_seconds: 300 })
    const visitor = await visit("phone", { ...shanghai, viewport: { width: 320, height: 568 } })
    const { page } = visitor
    for (const [view, shown] of [
      ["Reminders", "#reminder-list"],
      ["Sessions", "#session-list"],
      ["Conversation", "#empty"]
    ] as const) {
      await page.locator(".views").getByRole("button", { name: view }).click()
      await page.locator(shown).waitFor()
      assert.strictEqual(await page.evaluate(() => document.documentElement.scrollWidth), 320)
      assert.strictEqual(
        await page.locator("#reminder-list, #session-list, #empty").filter({ visible: true }).count(),
        1
      )
    }
  })

  it("tells the whole HTTP API at /docs, from its own description", async () => {
    const visitor = await Visitor.visit(browser, `${host.url}/docs`, newYork)
    visitors.push(visitor)
    const operations = visitor.page.locator("details")
    await operations.first().waitFor()
    const { paths } = await request("GET", "/openapi.json")
    assert.strictEqual(
      await operations.count(),
      Object.values(paths).flatMap((operations) => Object.keys(Object(operations))).length
    )
    const said = await visitor.page.locator(".told").allInnerTexts()
    assert.strictEqual(said.filter((text) => text !== "").length, await operations.count())
  })
})
