/**
 * All faults, as long as they are worth it at night, or as short as a test may be.
 */
import { clockSteps } from "./ClockSteps.ts"
import { damage } from "./Damage.ts"
import type { Fault } from "./Fault.ts"
import { fullDisk, noGrowth } from "./FullDisk.ts"
import { kills } from "./Kills.ts"
import { readOnly } from "./ReadOnly.ts"
import { suspension } from "./Suspension.ts"
import { twoServers } from "./TwoServers.ts"

export const all = (length: "short" | "long"): ReadonlyArray<Fault> => {
  const isLong = length === "long"
  return [
    kills(isLong ? 100 : 4),
    fullDisk(isLong ? 10 : 1),
    noGrowth(isLong ? 10 : 1),
    readOnly(isLong ? 4 : 1),
    twoServers(isLong ? 10 : 1),
    suspension(isLong ? 5 : 1),
    clockSteps(isLong ? 60_000 : 500),
    damage(isLong ? 400 : 40)
  ]
}
