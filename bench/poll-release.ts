import { setTimeout } from 'node:timers/promises'
import { type FaultyEdge, TEN_SILENT, TIMEOUT_MS, untilFound } from './poll-faulty.ts'
import { against, type Measurement } from './support/measurement.ts'
import { median } from './support/statistics.ts'

const OVERRIDES = 20
const SHORTEST_MS = 1_000
const LONGEST_MS = 2_000
/** How much longer than one pending request a release may take. */
const ALLOWANCE_MS = 200
/** How long before the end of an override the registers fall silent. */
const LEADS_MS = [1_100, 900, 700, 500, 300, 100]
const RECOVER_MS = 3_000

/** Delays until the equipment was restored. */
export interface ReleaseDelays {
  delays: readonly number[]
  /** The number of overrides that ended before their value reached the equipment. */
  unapplied: number
}

/** Places overrides on the first register, one after the other, and times the write that restores it. */
export async function measureReleases(edge: FaultyEdge): Promise<ReleaseDelays> {
  const delays: number[] = []
  let unapplied = 0
  for (let count = 0; count < OVERRIDES; count += 1) {
    // Different lengths, so that the ends do not align with the polls.
    const lengthMs = SHORTEST_MS + Math.round(((LONGEST_MS - SHORTEST_MS) * count) / (OVERRIDES - 1))
    const delay = await releaseDelay(edge, count + 1, lengthMs)
    if (delay === undefined) unapplied += 1
    else delays.push(delay)
  }
  return { delays, unapplied }
}

/**
 * Does the same while registers fall silent shortly before the end. The device then waits for a whole timeout, and
 * finds the silent registers with many short ones. Makes every register answer again at the end.
 */
export async function measureReleasesAtOnset(edge: FaultyEdge): Promise<ReleaseDelays> {
  const delays: number[] = []
  for (const [index, leadMs] of LEADS_MS.entries()) {
    const delay = releaseDelay(edge, index + 1, LONGEST_MS)
    await setTimeout(LONGEST_MS - leadMs)
    edge.equipment.silence(TEN_SILENT)
    const measured = await delay
    if (measured !== undefined) delays.push(measured)
    edge.equipment.silence([])
    await setTimeout(RECOVER_MS)
  }
  return { delays, unapplied: LEADS_MS.length - delays.length }
}

/** Resolves with `undefined` if the override ended before its value reached the equipment. */
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
  // A value may be written more than once while it is held; 0 is the value from before.
  const restored = await untilFound(
    () => equipment.writes.find((write, at) => at > index && write.value === 0),
    `the end of override ${value}`,
  )
  return restored.at - to
}

/** Measures how much silent registers delay a release. */
export function compareReleases(name: string, withSilent: ReleaseDelays, floor: ReleaseDelays): Measurement[] {
  const parts = [
    `from to to the restoring write, ${withSilent.delays.length} overrides`,
    'floor: none silent',
    `target for the worst: under ${TIMEOUT_MS + ALLOWANCE_MS} ms`,
  ]
  const unapplied = withSilent.unapplied + floor.unapplied
  if (unapplied > 0) parts.push(`${unapplied} ended before they were applied`)
  const note = parts.join('; ')
  const middle = ({ delays }: ReleaseDelays) => [median(delays)]
  const worst = ({ delays }: ReleaseDelays) => [Math.max(...delays)]
  return [
    against(`${name}, median`, middle(withSilent), 'ms', middle(floor), note),
    against(`${name}, worst`, worst(withSilent), 'ms', worst(floor), note),
  ]
}
