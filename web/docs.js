/**
 * The HTTP API, told from its own description.
 */
import { byId, element } from "./dom.js"
import * as Host from "./host.js"

const METHODS = ["get", "post", "put", "patch", "delete"]

/**
 * A schema as people read it: names of shared schemas are replaced by what they are, once.
 *
 * @param {any} value
 * @param {any} schemas
 * @param {ReadonlyArray<string>} [within]
 * @returns {any}
 */
const resolve = (value, schemas, within = []) => {
  if (Array.isArray(value)) return value.map((item) => resolve(item, schemas, within))
  if (typeof value !== "object" || value === null) return value
  const name = typeof value.$ref === "string" ? value.$ref.split("/").at(-1) : undefined
  if (name !== undefined) return within.includes(name) ? name : resolve(schemas[name], schemas, [...within, name])
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, schemas, within)]))
}

/** @param {any} content */
const schemaOf = (content) => Object.values(content ?? {})[0]?.schema

/**
 * @param {string} title
 * @param {any} schema
 * @param {any} schemas
 */
const shape = (title, schema, schemas) =>
  schema === undefined
    ? []
    : [
        element("h3", {}, title),
        element("pre", { tabindex: 0 }, element("code", {}, JSON.stringify(resolve(schema, schemas), null, 2)))
      ]

/**
 * @param {string} method
 * @param {string} path
 * @param {any} operation
 * @param {any} schemas
 */
const describe = (method, path, operation, schemas) =>
  element(
    "details",
    {},
    element(
      "summary",
      {},
      element("code", { class: "method" }, method.toUpperCase()),
      element("code", {}, path),
      element("span", { class: "told" }, operation.summary)
    ),
    ...shape("Parameters", operation.parameters?.length > 0 ? operation.parameters : undefined, schemas),
    ...shape("Body", schemaOf(operation.requestBody?.content), schemas),
    ...Object.entries(operation.responses ?? {}).flatMap(([status, response]) =>
      shape(`Answer ${status}`, schemaOf(response.content), schemas)
    )
  )

/** @param {any} api */
const show = (api) => {
  const schemas = api.components?.schemas ?? {}
  for (const [path, operations] of Object.entries(api.paths)) {
    for (const method of METHODS.filter((method) => method in operations)) {
      byId("operations").append(describe(method, path, operations[method], schemas))
    }
  }
}

try {
  show(await (await Host.request("openapi.json")).json())
} catch (error) {
  const message = error instanceof Host.HostFailure ? error.message : "The description can't be read."
  byId("operations").append(element("p", { role: "alert" }, message))
}
