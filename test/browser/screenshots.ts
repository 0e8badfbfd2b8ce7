/**
 * Takes the pictures in docs/images: `node test/browser/screenshots.ts`. They show the page on a desk and on a phone,
 * light and dark, with a conversation that was really had.
 */
import { fileURLToPath } from "node:url"
import * as Chromium from "./Chromium.ts"
import * as HostProcess from "./HostProcess.ts"
import * as Visitor from "./Visitor.ts"

const folder = fileURLToPath(new URL("../../docs/images/", import.meta.url))

const hourIn = (timeZone: string): number =>
  Number(new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit" }).format())

/** Where it is about ten in the morning, so that there is a day to look at. */
const zone = ["Asia/Shanghai", "Europe/Paris", "America/New_York", "America/Los_Angeles", "Pacific/Auckland"].reduce(
  (a, b) => (Math.abs(hourIn(a) - 10) <= Math.abs(hourIn(b) - 10) ? a : b)
)

const host = await HostProcess.start()
const browser = await Chromium.launch()

const post = async (path: string, body: unknown = null): Promise<void> => {
  const response = await fetch(`${host.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
}

const remind = (session: string, reminder: unknown) => post(`/sessions/${session}/reminders`, reminder)

const furnish = async (): Promise<void> => {
  for (const id of ["errands", "garden", "demo"]) await post("/sessions", { id })
  await remind("garden", { prompt: "Water the tomatoes", daily: { time: "19:30:00", time_zone: zone } })
  await remind("errands", { prompt: "Renew the passport", after_seconds: 864_000 })
  await post("/sessions/errands/close")
  await remind("demo", { prompt: "Drink some water", every_seconds: 5_400 })
  await remind("demo", {
    prompt: "Stand-up with New York",
    cron: { expression: "30 9 * * MON-FRI", time_zone: "America/New_York" }
  })
  await remind("demo", {
    prompt: "Look at the build",
    cron: { expression: "*/15 9-17 * * *", time_zone: zone }
  })
  await remind("demo", { prompt: "Call Ann", weekly: { time: "11:00:00", weekdays: [7], time_zone: zone } })
}

const converse = async (): Promise<void> => {
  const visitor = await Visitor.visit(browser, `${host.url}/?session=demo`, { timezoneId: zone })
  await visitor.say("remind me in 3 seconds to stretch")
  await visitor.answers(2)
  await visitor.say("every weekday at 18:00 remind me to write the report")
  await visitor.answers(3)
  await visitor.say("remind me in 20 minutes to take the bread out of the oven")
  await visitor.answers(4)
  await visitor.leave()
}

const devices = [
  { name: "desk", options: { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1.5 }, views: [""] },
  {
    name: "phone",
    options: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
    views: ["conversation", "reminders"]
  }
] as const

const picture = async ({ name, options, views }: (typeof devices)[number], colorScheme: "light" | "dark") => {
  const settings = { ...options, colorScheme, timezoneId: zone }
  const { page, leave } = await Visitor.visit(browser, `${host.url}/?session=demo`, settings)
  await page.locator("#reminder-list li").nth(5).waitFor({ state: "attached" })
  await page.locator(".answered").nth(3).waitFor()
  for (const view of views) {
    if (view !== "") await page.locator(`.views [data-view=${view}]`).click()
    const path = `${folder}${[name, view, colorScheme].filter((part) => part !== "").join("-")}.png`
    await page.screenshot({ path, animations: "disabled" })
  }
  await leave()
}

try {
  await furnish()
  await converse()
  for (const device of devices) for (const scheme of ["light", "dark"] as const) await picture(device, scheme)
} finally {
  await browser.close()
  await host.remove()
}
