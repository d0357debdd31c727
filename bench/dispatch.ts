import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureDelay } from './dispatch-delay.ts'
import { commissionEquipment } from './dispatch-equipment.ts'
import { measureHeld } from './dispatch-held.ts'
import { measureRate } from './dispatch-rate.ts'
import { dispatchBody, startDemo } from './support/demo.ts'
import { startEquipment } from './support/equipment.ts'
import type { Measurement } from './support/measurement.ts'
import { startProgram, stopProgram } from './support/processes.ts'

const floor = (name: string) => join(import.meta.dirname, 'floors', name)

/**
 * Measures dispatches through the whole path: their rate, their cost beside others, and their punctuality at the
 * equipment.
 */
export async function benchDispatch(): Promise<Measurement[]> {
  await using parts = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'plantroom-bench-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  const { demo, child } = await startDemo(folder)
  parts.defer(() => stopProgram(child))
  const server = await startEquipment()
  parts.defer(() => server.stop())
  const equipment = await commissionEquipment(demo, server)

  // About what a dispatch adds to the journal: the request, to detect duplicates, and the reply.
  const datapointId = equipment.points[0]?.datapointId ?? ''
  const request = dispatchBody({ datapointId, value: 12.5, from: Date.now(), lengthMs: 60_000 })
  const row = JSON.stringify({ request, reply: { id: 'x'.repeat(40) } })
  // The same folder, and therefore the same disk.
  const commits = await startProgram(floor('sqlite-commits.ts'), { args: [folder, row] })
  parts.defer(() => stopProgram(commits.child))
  const timed = await startProgram(floor('timed-writes.ts'), { args: [folder, row, String(server.port)] })
  parts.defer(() => stopProgram(timed.child))

  const rate = await measureRate(demo, commits.child)
  const delay = await measureDelay(demo, equipment, timed.child)
  const held = await measureHeld(demo, equipment)
  return [...rate, ...held, ...delay]
}
