import { type Clock, every } from '@plantroom/base/clock'
import type { PlantFaults } from '../faults.ts'
import { advance, type Building, newBuilding } from './building.ts'

export interface LiveBuilding {
  now(): Building
  /** Applies a change to the building, for example a new setpoint. */
  change(next: Building): void
  stop(): void
}

const STEP_MS = 250

/** A building that follows the clock in steps of equal length, so that a seed always gives the same run. */
export function startBuilding({
  clock,
  seed,
  faults,
}: {
  clock: Clock
  seed: number
  faults?: PlantFaults
}): LiveBuilding {
  let building = newBuilding(seed, faults)
  let steps = 0
  const startedAt = clock.monotonic()

  const stop = every(clock, STEP_MS, () => {
    const due = Math.floor((clock.monotonic() - startedAt) / STEP_MS)
    for (; steps < due; steps += 1) building = advance(building, STEP_MS / 1000)
  })

  return {
    now: () => building,
    change(next) {
      building = next
    },
    stop,
  }
}
