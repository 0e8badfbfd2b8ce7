import { assert, describe, it } from "@effect/vitest"
import { readdirSync } from "node:fs"
import { posix } from "node:path"
import * as Page from "./Page.ts"

const folder = new URL("../../docs/", import.meta.url)
const docs = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"))
const pages = ["README.md", "AGENTS.md", ...docs.map((name) => `docs/${name}`)]

/** Where a page's links lead within the project. */
const links = (page: string): ReadonlyArray<string> =>
  Array.from(Page.prose(Page.read(page)).matchAll(/\]\(([^)\s#]+)/gu), ([, link = ""]) => link).filter(
    (link) => !/^\w+:/u.test(link)
  )

describe("The documentation", () => {
  for (const page of pages) {
    it(`has no link that leads nowhere in ${page}`, () => {
      assert.deepStrictEqual(
        links(page).filter((link) => !Page.exists(posix.join(posix.dirname(page), link))),
        []
      )
    })
  }

  it("is linked from the front page, every page of it", () => {
    const linked = links("README.md")
    const own = ["time", "format", "delivery", "hosts", "security", "operations", "architecture"]
    assert.includeMembers(
      [...linked],
      own.map((name) => `docs/${name}.md`)
    )
  })
})
