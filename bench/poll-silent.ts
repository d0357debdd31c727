import type { ChildProcess } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { type FaultyEdge, isAnsweredRead, POLL_MS, REGISTERS, TEN_SILENT } from './poll-faulty.ts'
import type { Equipment } from './support/equipment.ts'
import { against, type Measurement } from './support/measurement.ts'
import { ask } from './support/processes.ts'

/** Until the device has found the silent registers. */
export const SETTLE_MS = 15_000
const SAMPLES = 20
const SAMPLE_EVERY_MS = 250
const COUNT_SECONDS = 20

/** Not at the edge of a block of 125. */
const ONE_SILENT = [310]

/** How often the answering registers were read. */
interface HealthyReads {
  perSecond: number
  /** For the register that was read least. */
  leastPerSecond: number
}

/**
 * Measures how many datapoints stay live when one register is silent, against a client that reads the same registers in
 * blocks and gets only the answered blocks. Restores the equipment.
 */
export async function measureFresh({ equipment, countFresh }: FaultyEdge, floor: ChildProcess): Promise<Measurement[]> {
  equipment.silence(ONE_SILENT)
  await setTimeout(SETTLE_MS)
  const counts: number[] = []
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    await setTimeout(SAMPLE_EVERY_MS)
    counts.push(await countFresh())
  }
  const { registers } = await ask<{ registers: number }>(floor, {})
  equipment.silence([])

  const note = [
    `live values not older than ${2 * POLL_MS} ms`,
    `${SETTLE_MS / 1000} s after the silence began`,
    `median of ${SAMPLES} samples`,
    `least ${Math.min(...counts)}`,
    'floor: blocks of 125',
  ]
  return [
    against(
      `fresh of ${REGISTERS}, 1 silent`,
      counts,
      '',
      counts.map(() => registers),
      note.join('; '),
    ),
  ]
}

/** Counts for a while how often the equipment answered reads of the registers that are never silent. */
export async function countHealthyReads(equipment: Equipment): Promise<HealthyReads> {
  const before = equipment.requests.length
  const from = performance.now()
  await setTimeout(COUNT_SECONDS * 1000)
  const seconds = (performance.now() - from) / 1000
  const reads = new Array<number>(REGISTERS).fill(0)
  for (const request of equipment.requests.slice(before).filter(isAnsweredRead)) {
    const end = Math.min(request.register + request.count, REGISTERS)
    for (let register = request.register; register < end; register += 1) reads[register] = (reads[register] ?? 0) + 1
  }
  const healthy = reads.filter((_, register) => !TEN_SILENT.includes(register))
  const sum = healthy.reduce((total, count) => total + count, 0)
  return { perSecond: sum / seconds, leastPerSecond: Math.min(...healthy) / seconds }
}

/** Measures how much silent registers slow down the others. */
export function compareHealthyReads(withSilent: HealthyReads, floor: HealthyReads): Measurement[] {
  const note = `answered by the equipment over ${COUNT_SECONDS} s; floor: the same registers, none silent; target: 0.9`
  return [
    against('healthy reads a second, 10 of 500 silent', [withSilent.perSecond], '1/s', [floor.perSecond], note),
    against(
      'least-read healthy one, 10 of 500 silent',
      [withSilent.leastPerSecond],
      '1/s',
      [floor.leastPerSecond],
      `of the healthy register that is read least; ${note}`,
    ),
  ]
}
