import { setTimeout } from 'node:timers/promises'
import { type FaultyEdge, isAnsweredRead, REGISTERS, untilFound } from './poll-faulty.ts'
import type { EquipmentRequest } from './support/equipment.ts'
import { against, type Measurement } from './support/measurement.ts'
import { median } from './support/statistics.ts'

/** The register that the floor reads, which the device does not use. */
export const FLOOR_REGISTER = 1_000

const ROUNDS = 5
const SILENCE_MS = 10_000
/** Each silence is this much longer than the previous one, so that they end at different points of the retries. */
const LONGER_MS = 190
const SETTLE_MS = 3_000
const HELD = 1_234
const WINDOW_MS = 10 * 60_000

/** Time from the end of a silence, in ms. */
interface Recovery {
  firstValue: number
  allValues: number
  write: number
  floor: number
}

/**
 * Measures how soon values return, and a held setpoint is written again, after equipment was silent and lost the
 * setpoint. The floor is a client that repeats one small read to the same equipment.
 */
export async function measureRecovery(edge: FaultyEdge): Promise<Measurement[]> {
  const { equipment, partner, setpointId } = edge
  const id = await partner.dispatch({ datapointId: setpointId, value: HELD, from: Date.now(), lengthMs: WINDOW_MS })
  await untilFound(() => equipment.writes.find(({ value }) => value === HELD), 'the start of the override')
  const rounds: Recovery[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await setTimeout(SETTLE_MS)
    rounds.push(await recover(edge, SILENCE_MS + round * LONGER_MS))
  }
  await partner.cancel(id)

  const all = (figure: keyof Recovery) => rounds.map((recovery) => recovery[figure])
  const note = `${ROUNDS} silences, sockets open throughout; floor: one read every 500 ms; target: 1500 ms`
  const rows = (name: string, figure: keyof Recovery, what: string) =>
    [median, worst].map((pick) =>
      against(
        `${name} after 10 s of silence, ${pick === worst ? 'worst' : 'median'}`,
        [pick(all(figure))],
        'ms',
        [pick(all('floor'))],
        `${what}; ${note}`,
      ),
    )
  return [
    ...rows('values back', 'firstValue', 'first answered read'),
    ...rows('all values back', 'allValues', `each of ${REGISTERS} registers read`),
    ...rows('write back', 'write', 'the held setpoint at the equipment'),
  ]
}

async function recover({ equipment }: FaultyEdge, silenceMs: number): Promise<Recovery> {
  const { requests, writes } = equipment
  equipment.silenceAll()
  await setTimeout(silenceMs)
  const [firstRequest, firstWrite] = [requests.length, writes.length]
  const endedAt = equipment.restart()

  const written = await untilFound(() => writes.slice(firstWrite).find(({ value }) => value === HELD), 'the setpoint')
  const since = () => requests.slice(firstRequest)
  const firstRead = await untilFound(() => since().find(isAnsweredRead), 'a read')
  const floorRead = await untilFound(() => since().find(({ register }) => register === FLOOR_REGISTER), 'the floor')
  const allRead = await untilFound(() => completesAll(since().filter(isAnsweredRead)), 'reads of all registers')
  return {
    firstValue: firstRead.at - endedAt,
    allValues: allRead.at - endedAt,
    write: written.at - endedAt,
    floor: floorRead.at - endedAt,
  }
}

/** Returns the read after which every register of the device was read at least once. */
function completesAll(reads: readonly EquipmentRequest[]): EquipmentRequest | undefined {
  const missing = new Set(Array.from({ length: REGISTERS }, (_, register) => register))
  return reads.find(({ register, count }) => {
    for (let one = register; one < register + count; one += 1) missing.delete(one)
    return missing.size === 0
  })
}

const worst = (values: readonly number[]) => Math.max(...values)
