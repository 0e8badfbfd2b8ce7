/**
 * A real browser: a Chromium that is installed, else Debian's package where it may be installed, else Playwright's own.
 */
import { execFileSync } from "node:child_process"
import { accessSync, constants, existsSync } from "node:fs"
import { createRequire } from "node:module"
import { delimiter, dirname, join } from "node:path"
import { type Browser, chromium } from "playwright-core"

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const onPath = (name: string): string | undefined =>
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isExecutable)

const installed = (): string | undefined =>
  names.map(onPath).find((path) => path !== undefined) ??
  (existsSync(chromium.executablePath()) ? chromium.executablePath() : undefined)

const run = (command: string, ...args: ReadonlyArray<string>): void => {
  execFileSync(command, args, {
    stdio: "ignore",
    timeout: 240_000,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }
  })
}

const fromDebian = (): void => {
  if (process.getuid?.() !== 0) return
  run("apt-get", "update")
  run("apt-get", "install", "-y", "--no-install-recommends", "chromium")
}

const fromPlaywright = (): void => {
  const { resolve } = createRequire(import.meta.url)
  run(process.execPath, join(dirname(resolve("playwright-core/package.json")), "cli.js"), "install", "chromium")
}

/** Where a Chromium is, after one was installed if there was none. */
const find = (): string => {
  for (const install of [() => {}, fromDebian, fromPlaywright]) {
    try {
      install()
    } catch {
      // Whatever keeps it from here, there may be another way.
    }
    const path = installed()
    if (path !== undefined) return path
  }
  throw new Error("There is no Chromium, and none could be installed: install one as `chromium`.")
}

/** Nothing but the page under test reaches a network, or waits for one. */
const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

/** A headless browser with a fresh profile. */
export const launch = (): Promise<Browser> => chromium.launch({ executablePath: find(), headless: true, args: quiet })
