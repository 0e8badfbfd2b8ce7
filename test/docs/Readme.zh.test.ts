import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { posix } from "node:path"
import * as Chat from "../host/LocalModelChat.ts"
import * as Page from "./Page.ts"

/** A page of `docs` as it would be in the project's own folder. */
const fromRoot = (page: string): string =>
  page.replaceAll(
    /(\]\(|\b(?:src|srcset)=")(?!https?:|#)([^)"]+)/gu,
    (_, before: string, link: string) => before + posix.join("docs", link)
  )

const [english, chinese] = [Page.read("README.md"), fromRoot(Page.read("docs/README.zh.md"))]

/** What both pages must have alike, in order. */
type Part = (page: string) => ReadonlyArray<unknown>

const all = (text: string, pattern: RegExp): ReadonlyArray<string> =>
  Array.from(text.matchAll(pattern), ([whole, group]) => group ?? whole)

const fences: Part = (page) => all(page, /^```[^]*?^```$/gmu)

const HEADING = /^#+ .*$/gmu
const headings = (page: string): ReadonlyArray<string> => all(Page.prose(page), HEADING)
const levels: Part = (page) => headings(page).map((line) => line.indexOf(" "))

/** As GitHub names the place of a heading. */
const anchor = (heading: string): string =>
  heading
    .replace(/^#+ /u, "#")
    .toLowerCase()
    .replaceAll(/[^#\p{L}\p{N}\- ]/gu, "")
    .replaceAll(" ", "-")

/** An anchor has the words of its language, so it counts by the heading it leads to. */
const targets: Part = (page) => {
  const anchors = headings(page).map(anchor)
  return all(Page.prose(page), /(?:\]\(|\b(?:src|srcset|href)=")([^)"]+)/gu)
    .filter((link) => !/^(?:docs\/)?README(?:\.zh)?\.md$/u.test(link))
    .map((link) => (link.startsWith("#") ? anchors.indexOf(link) : link))
}

/** The text below each heading; what comes before the first is nothing. */
const sections = (page: string): ReadonlyArray<string> => Page.prose(page).split(HEADING)

/** Words of code; within a section a sentence may have them in an order of its own. */
const words: Part = (page) => sections(page).map((text) => all(text, /`[^`\n]+`/gu).toSorted())

/** What the Chinese page alone tells, since those who read it would try it. */
const EXAMPLE = /“(remind me in 10 minutes to (.+?))”/u

/** The figures outside code, by section as well: limits, versions, times. */
const figures: Part = (page) =>
  sections(page.replace(EXAMPLE, "")).map((text) =>
    all(text.replaceAll(/`[^`\n]+`/gu, ""), /\d+(?:[.,:]\d+)*/gu).toSorted()
  )

const isRow = (line: string): boolean => line.startsWith("|")

/** How many cells each row has, and the code in it. */
const rows: Part = (page) =>
  sections(page).map((text) =>
    text
      .split("\n")
      .filter(isRow)
      .map((row) => [row.split("|").length, ...all(row, /`[^`]+`/gu).toSorted()])
  )

const items: Part = (page) => sections(page).map((text) => all(text, /^- /gmu).length)

const parts: ReadonlyArray<readonly [string, Part]> = [
  ["blocks of code, byte for byte", fences],
  ["headings", levels],
  ["targets of links and pictures", targets],
  ["words of code in each section", words],
  ["figures in each section", figures],
  ["rows of tables", rows],
  ["items of lists", items]
]

/** What someone may do to one page alone, and the part that tells. */
const edits: ReadonlyArray<readonly [string, Part, (page: string) => string]> = [
  ["a flag in a block of code", fences, (page) => page.replace("curl -sN", "curl -s")],
  ["the level of a heading", levels, (page) => page.replace("\n### MCP", "\n## MCP")],
  ["a link", targets, (page) => page.replace("(docs/hosts.md)", "(docs/time.md)")],
  ["a picture", targets, (page) => page.replace('src="docs/images/desk-light.png"', 'src="docs/images/desk-dark.png"')],
  ["a link within the page", targets, (page) => page.replace(/\]\(#[^)]+\)/u, "](#nowhere)")],
  ["a name in a sentence", words, (page) => page.replace("`SESSION_SCHEDULE_TOKEN`", "`TOKEN`")],
  ["a limit", figures, (page) => page.replace("10,000", "20,000")],
  ["a row of a table", rows, (page) => page.replace(/^\| `verify FILE…`.*\n/mu, "")],
  ["a row without code", rows, (page) => page.replace(/^\|.*docs\/security\.md.*\n/mu, "")],
  ["an item of a list", items, (page) => page.replace(/\n- \*\*.*/u, "")]
]

describe("The front page in Chinese", () => {
  for (const [name, part] of parts) {
    it(`has the same ${name} as the English one`, () => {
      assert.isNotEmpty(part(english).flat())
      assert.deepStrictEqual(part(chinese), part(english))
    })
  }

  for (const [what, part, edit] of edits) {
    it(`differs from the English one as soon as one of them alone changes ${what}`, () => {
      assert.notDeepEqual(part(edit(chinese)), part(english))
      assert.notDeepEqual(part(chinese), part(edit(english)))
    })
  }

  it("links to the English one at its top, and back", () => {
    assert.strictEqual(chinese.split("\n")[2], "[English](README.md)")
    assert.strictEqual(english.split("\n")[2], "[简体中文](docs/README.zh.md)")
  })

  it("has no link within the page that leads nowhere", () => {
    assert.notInclude(targets(chinese), -1)
    assert.notInclude(targets(english), -1)
  })

  it("has full-width punctuation between Chinese words, and a space between those and Latin ones", () => {
    const plain = Page.prose(chinese)
      .replaceAll(/`[^`\n]*`/gu, "x")
      .replaceAll(/\]\([^)]*\)/gu, "]")
    assert.deepStrictEqual(all(plain, /\p{Script=Han}[,;:!?()]|[,;:!?()]\p{Script=Han}/gu), [])
    assert.deepStrictEqual(all(plain, /\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}/gu), [])
  })

  it("has no emphasis that ends in punctuation right before a word, which would not be shown as emphasis", () => {
    assert.deepStrictEqual(all(Page.prose(chinese), /\p{P}\*\*[\p{L}\p{N}]/gu), [])
  })

  it.effect("tells how the local model takes Chinese: what to remind of, but not the request", () =>
    Effect.gen(function* () {
      const [, request = "", prompt = ""] = EXAMPLE.exec(chinese) ?? []
      assert.match(prompt, /^\p{Script=Han}+$/u)
      const { say } = yield* Chat.start()
      const asked = yield* say(request)
      assert.deepStrictEqual(
        asked.calls.map(({ params }) => params),
        [{ prompt, after_seconds: 600 }]
      )
      assert.deepStrictEqual((yield* say(`十分钟后提醒我${prompt}`)).calls, [])
    })
  )
})
