/** One word for a PostgreSQL store, for another process to find it by. */
import { Redacted } from "effect"
import type * as PgStore from "../../src/layers/PgStore.ts"

export type Place = PgStore.Options & { readonly schema: string }

export const show = ({ url, schema }: Place): string => `${Redacted.value(url)}?schema=${schema}`

export const at = (place: string): Place => ({
  url: Redacted.make(place),
  schema: new URL(place).searchParams.get("schema") ?? ""
})
