/**
 * Someone who looks at the page, somewhere on earth, and notices whatever their browser complains about.
 */
import type { Browser, BrowserContextOptions, Page } from "playwright-core"

export interface Visitor {
  readonly page: Page
  /** What a script threw, and what the page's policy forbade. */
  readonly complaints: ReadonlyArray<string>
  /** Types a message and presses Enter. */
  say(text: string): Promise<void>
  /** Waits for so many answers of the Agent, no turn being at work; tells the last. */
  answers(count: number): Promise<string>
  leave(): Promise<void>
}

/** Runs in the page. A violation is told in words, as the event itself does not cross over. */
const tellViolations = () =>
  document.addEventListener("securitypolicyviolation", (event) =>
    console.error(`violation of ${event.violatedDirective} by ${event.blockedURI}`)
  )

/** A request that is refused, or finds no host, is told by the page itself, and is no fault of it. */
const isAboutNetwork = (text: string): boolean => text.startsWith("Failed to load resource")

export const visit = async (browser: Browser, url: string, options: BrowserContextOptions): Promise<Visitor> => {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  const complaints: Array<string> = []
  page.on("pageerror", (error) => complaints.push(String(error)))
  page.on("console", (message) => {
    if (message.type() === "error" && !isAboutNetwork(message.text())) complaints.push(message.text())
  })
  await page.addInitScript(tellViolations)
  await page.goto(url)
  return {
    page,
    complaints,
    say: async (text) => {
      await page.getByLabel("Your message").fill(text)
      await page.getByLabel("Your message").press("Enter")
    },
    answers: async (count) => {
      const last = page.locator(".answered p").nth(count - 1)
      await last.waitFor()
      await page.locator(".thinking").waitFor({ state: "detached" })
      return last.innerText()
    },
    leave: () => context.close()
  }
}
