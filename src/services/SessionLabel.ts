/**
 * What a Session is called in spans and in the log output. What is bound to one Session needs no name for its work; a
 * host provides it where many are mixed.
 */
import { Context } from "effect"

/** The id of the Session; undefined where there is only one. */
export const SessionLabel = Context.Reference<string | undefined>("effect-session-schedule/SessionLabel", {
  defaultValue: () => undefined
})
