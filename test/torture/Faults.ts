/**
 * All faults, as long as they are worth it at night, or as short as a test may be.
 */
import { clockSteps } from "./ClockSteps.ts"
import { damage } from "./Damage.ts"
import type { Fault } from "./Fault.ts"
import { fullDisk, noGrowth } from "./FullDisk.ts"
import { kills, stops } from "./Kills.ts"
import { readOnly } from "./ReadOnly.ts"
import { suspension } from "./Suspension.ts"
import { twoServers } from "./TwoServers.ts"

export const all = (length: "short" | "long"): ReadonlyArray<Fault> =>
  length === "long"
    ? [
        kills(100),
        stops(20),
        fullDisk(10),
        noGrowth(10),
        readOnly(4),
        twoServers(10),
        suspension(5),
        clockSteps(60_000),
        damage(400)
      ]
    : [kills(2), fullDisk(1), readOnly(1), twoServers(1), suspension(1), clockSteps(500), damage(24)]
