import { type FaultyEdge, TIMEOUT_MS, untilFound } from './poll-faulty.ts'
import { against, type Measurement } from './support/measurement.ts'
import { median } from './support/statistics.ts'

const OVERRIDES = 20
const SHORTEST_MS = 1_000
const LONGEST_MS = 2_000
/** What a release may take beyond the one request that may be under way. */
const ALLOWANCE_MS = 200

/** How late the equipment was restored. */
export interface ReleaseDelays {
  delays: readonly number[]
  /** How many overrides had ended before their value reached the equipment. */
  unapplied: number
}

/** Places overrides on the first register, one after the other, and times the write that restores it. */
export async function measureReleases(edge: FaultyEdge): Promise<ReleaseDelays> {
  const delays: number[] = []
  let unapplied = 0
  for (let count = 0; count < OVERRIDES; count += 1) {
    // Different lengths, so that the ends do not keep in step with the polls.
    const lengthMs = SHORTEST_MS + Math.round(((LONGEST_MS - SHORTEST_MS) * count) / (OVERRIDES - 1))
    const delay = await releaseDelay(edge, count + 1, lengthMs)
    if (delay === undefined) unapplied += 1
    else delays.push(delay)
  }
  return { delays, unapplied }
}

/** Resolves with `undefined` when the override ended before its value reached the equipment. */
async function releaseDelay(edge: FaultyEdge, value: number, lengthMs: number): Promise<number | undefined> {
  const { equipment, partner, setpointId } = edge
  const first = equipment.writes.length
  const from = Date.now()
  const to = from + lengthMs
  await partner.dispatch({ datapointId: setpointId, value, from, lengthMs })
  const applied = await untilFound(() => {
    const index = equipment.writes.findIndex((write, at) => at >= first && write.value === value)
    if (index >= 0) return { index }
    return Date.now() > to ? { index: undefined } : undefined
  }, `the start of override ${value}`)
  const { index } = applied
  if (index === undefined) return undefined
  // A value may be written more than once while it is held; 0 is what was there before.
  const restored = await untilFound(
    () => equipment.writes.find((write, at) => at > index && write.value === 0),
    `the end of override ${value}`,
  )
  return restored.at - to
}

/** How much silent registers delay a release. */
export function compareReleases(withSilent: ReleaseDelays, floor: ReleaseDelays): Measurement[] {
  const parts = [
    `from to to the restoring write, ${withSilent.delays.length} overrides of ${SHORTEST_MS / 1000} to ${LONGEST_MS / 1000} s`,
    'floor: none silent',
    `aim for the worst: under ${TIMEOUT_MS + ALLOWANCE_MS} ms`,
  ]
  const unapplied = withSilent.unapplied + floor.unapplied
  if (unapplied > 0) parts.push(`${unapplied} ended before they were applied`)
  const note = parts.join('; ')
  const worst = ({ delays }: ReleaseDelays) => [Math.max(...delays)]
  const middle = ({ delays }: ReleaseDelays) => [median(delays)]
  return [
    against('release delay, 10 of 500 silent, median', middle(withSilent), 'ms', middle(floor), note),
    against('release delay, 10 of 500 silent, worst', worst(withSilent), 'ms', worst(floor), note),
  ]
}
