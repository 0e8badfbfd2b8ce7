/**
 * Prints which packages, and which modules of Node's, are loaded with the module that is named.
 */
import { registerHooks } from "node:module"

const [, , name = ""] = process.argv
const loaded = new Set<string>()

/** The name of an installed package, or that of a module of Node's. */
const ownerOf = (url: string): string => {
  const [first = "", second = ""] = url.split("/node_modules/").at(-1)?.split("/") ?? []
  return first.startsWith("@") ? `${first}/${second}` : first
}

registerHooks({
  load: (url, context, next) => {
    loaded.add(ownerOf(url))
    return next(url, context)
  }
})

await import(name)
console.log([...loaded].toSorted().join(" "))
