/**
 * Names of files and folders as they were written. Shells complete them; whether there is such a thing is for the command
 * to find out, and `-` is none.
 */
import { Param, Primitive } from "effect/cli"

const asWritten = (pathType: "file" | "directory"): Primitive.Primitive<string> =>
  Object.assign(Primitive.Path(pathType), { parse: Primitive.String.parse })

/** An argument that names a file. */
export const argument = (name: string) =>
  Param.makeSingle({ kind: Param.argumentKind, name, primitiveType: asWritten("file"), typeName: "string" })

/** A flag that names a file, or else a folder. */
export const flag = (name: string, pathType: "file" | "directory" = "file") =>
  Param.makeSingle({ kind: Param.flagKind, name, primitiveType: asWritten(pathType) })
