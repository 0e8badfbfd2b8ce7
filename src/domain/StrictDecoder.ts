/**
 * Decodes as a schema does when no excess property is allowed, at the speed that a log of a million events asks for.
 *
 * A schema's own decoder keeps account of each step, to say later what was wrong; nearly always, nothing is. So the same
 * AST is also compiled to plain functions that give a value, or undefined where there is none or where they can't tell.
 * After undefined, the schema's own decoder has the word: what is refused, and why, is up to it alone.
 */
import { Exit, Result, Schema, SchemaAST, type SchemaGetter } from "effect"

const strict = { onExcessProperty: "error" } as const

/** The value that an input decodes to; undefined if it may have none. JSON has no undefined, so it is no value either. */
type Quick = (input: unknown) => unknown

const cannotTell: Quick = () => undefined

const filtersOf = (checks: ReadonlyArray<SchemaAST.Check<unknown>>): ReadonlyArray<SchemaAST.Filter<unknown>> =>
  checks.flatMap((check) => (check._tag === "Filter" ? [check] : filtersOf(check.checks)))

const checked = (ast: SchemaAST.AST, decode: Quick): Quick => {
  if (ast.checks === undefined) return decode
  const filters = filtersOf(ast.checks)
  return (input) => {
    const value = decode(input)
    if (value === undefined) return undefined
    for (const filter of filters) if (filter.run(value, ast, strict) !== undefined) return undefined
    return value
  }
}

const hasKeys = (input: object, count: number): boolean => {
  let keys = 0
  for (const _ in input) keys++
  return keys === count
}

interface Field {
  readonly name: string
  readonly decode: Quick
}

/** The fields with one literal value come first: they tell the members of a union apart. */
const object = ({ encodingChecks, indexSignatures, propertySignatures }: SchemaAST.Objects): Quick => {
  const isNamed = propertySignatures.every(({ name }) => typeof name === "string" && name !== "__proto__")
  if (!isNamed || indexSignatures.length > 0 || encodingChecks !== undefined) return cannotTell
  const fields = propertySignatures.map(({ name, type }): Field => ({ name: String(name), decode: compile(type) }))
  const tags = fields.filter((_, n) => propertySignatures[n]?.type._tag === "Literal")
  return (input) => {
    if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined
    const given = input as Readonly<Record<string, unknown>>
    for (const { decode, name } of tags) if (decode(given[name]) === undefined) return undefined
    const decoded: Record<string, unknown> = {}
    for (const { decode, name } of fields) {
      const value = decode(given[name])
      if (value === undefined) return undefined
      decoded[name] = value
    }
    return hasKeys(given, fields.length) ? decoded : undefined
  }
}

const array = ({ elements, encodingChecks, rest }: SchemaAST.Arrays): Quick => {
  const [item] = rest
  if (item === undefined || rest.length + elements.length > 1 || encodingChecks !== undefined) return cannotTell
  const decode = compile(item)
  return (input) => {
    if (!Array.isArray(input)) return undefined
    const decoded = Array.from(input, decode)
    return decoded.includes(undefined) ? undefined : decoded
  }
}

const union = ({ encodingChecks, options, types }: SchemaAST.Union): Quick => {
  if (options?.mode === "oneOf" || encodingChecks !== undefined) return cannotTell
  const members = types.map(compile)
  return (input) => {
    for (const member of members) {
      const value = member(input)
      if (value !== undefined) return value
    }
    return undefined
  }
}

const declaration = (ast: SchemaAST.Declaration): Quick => {
  if (ast.typeParameters.length > 0) return cannotTell
  const holds = Schema.is(Schema.make(SchemaAST.toType(ast)))
  return (input) => (holds(input) ? input : undefined)
}

const local = (ast: SchemaAST.AST): Quick => {
  switch (ast._tag) {
    case "Unknown":
      return (input) => input
    case "Null":
      return (input) => (input === null ? input : undefined)
    case "String":
      return (input) => (typeof input === "string" ? input : undefined)
    case "Number":
      return (input) => (typeof input === "number" ? input : undefined)
    case "Literal":
      return (input) => (input === ast.literal ? input : undefined)
    case "Objects":
      return object(ast)
    case "Arrays":
      return array(ast)
    case "Union":
      return union(ast)
    case "Declaration":
      return declaration(ast)
    default:
      return cannotTell
  }
}

const transform = (getter: SchemaGetter.Getter<unknown, unknown, unknown>): Quick => {
  switch (getter._tag) {
    case "Transform":
      return getter.transform
    case "TransformEffect":
      return (input) => {
        const done = getter.transform(input, strict)
        return Exit.isExit(done) && Exit.isSuccess(done) ? done.value : undefined
      }
    default:
      return cannotTell
  }
}

const linked = ({ to, transformation }: SchemaAST.Link, decode: Quick): Quick => {
  if (transformation._tag !== "Transformation") return cannotTell
  const before = compile(to)
  const through = transform(transformation.decode)
  return (input) => {
    const from = before(input)
    const value = from === undefined ? undefined : through(from)
    return value === undefined ? undefined : decode(value)
  }
}

const compile = (ast: SchemaAST.AST): Quick => {
  const own = checked(ast, local(ast))
  return (ast.encoding ?? []).reduce((decode, link) => linked(link, decode), own)
}

/** A decoder of JSON that allows no excess property. It gives what the schema's own gives, and fails as that does. */
export const make = <S extends Schema.ConstraintDecoder<unknown>>(
  schema: S
): ((input: unknown) => Result.Result<S["Type"], Schema.SchemaError>) => {
  const quick = compile(schema.ast)
  const full = Schema.decodeUnknownResult(schema, strict)
  return (input) => {
    const value = quick(input)
    return value === undefined ? full(input) : Result.succeed(value as S["Type"])
  }
}
