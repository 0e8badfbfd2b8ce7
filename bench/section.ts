/**
 * One section in this process: `node bench/section.ts NAME full|quick [FOLDER]`, a profile of which goes to the folder.
 * Sends what it finds to whoever started it.
 */
import * as Child from "./measure/Child.ts"
import * as Profile from "./measure/Profile.ts"
import type { Size } from "./measure/Row.ts"
import { sections } from "./sections.ts"

process.once("disconnect", () => process.exit(1))
const [name = "", size, folder] = process.argv.slice(2)
const section = sections[name]
if (section === undefined) throw new Error(`There is no section ${name}`)
const { run } = await section.load()
const measure = () => run(size as Size)
await Child.answer(await (folder === undefined ? measure() : Profile.write(folder, name, measure)))
process.exit(0)
