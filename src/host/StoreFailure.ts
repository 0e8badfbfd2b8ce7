/**
 * What the store's failures mean to who called the host.
 */
import type { ForkTooLong, SessionExists, SessionNotFound, SessionStoreError } from "../layers/SessionStore.ts"
import type { EventLogError } from "../services/EventLog.ts"
import type { BarrierError } from "../services/PersistenceBarrier.ts"
import { HostError } from "./HostError.ts"

type StoreFailure = ForkTooLong | SessionExists | SessionNotFound | SessionStoreError | EventLogError | BarrierError

/** Nobody knows whether it took place. */
export const uncertain = (): HostError =>
  new HostError({
    code: "persistence_uncertain",
    message: "The store did not confirm it. Look at the Session before trying again."
  })

/** The host's error for a failure of the store, which never shows a backend's text. */
export const storeFailure = (failure: StoreFailure | HostError): HostError => {
  switch (failure._tag) {
    case "HostError":
      return failure
    case "SessionNotFound":
      return new HostError({
        code: "session_not_found",
        message: `There is no Session ${failure.id}; create it first.`
      })
    case "SessionExists":
      return new HostError({
        code: "session_exists",
        message: `There is a Session ${failure.id} already; open it, or choose another id.`
      })
    case "ForkTooLong":
      return new HostError({
        code: "invalid_fork",
        message: `length: the Session ${failure.id} has ${failure.available} events; a fork takes over at most these.`
      })
    default:
      return uncertain()
  }
}
