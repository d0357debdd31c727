import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { awaitEmbeddedPostgres } from '@plantroom/cloud/db/embedded/find-server'
import pg from 'pg'
import { commissionEquipment } from './dispatch-equipment.ts'
import { measureLongLists } from './openadr-long.ts'
import { measurePolls } from './openadr-polls.ts'
import { measurePush } from './openadr-push.ts'
import { measureTakeover } from './openadr-takeover.ts'
import type { BenchVtn } from './openadr-vtn.ts'
import { startDemo } from './support/demo.ts'
import { startEquipment } from './support/equipment.ts'
import type { Measurement } from './support/measurement.ts'
import { openBench } from './support/openadr.ts'
import { startProgram, stopProgram } from './support/processes.ts'

/** Measures polls of a VTN, the way from its announcement to equipment, and how fast a dead worker is replaced. */
export async function benchOpenadr(): Promise<Measurement[]> {
  await using parts = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'plantroom-bench-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  const reach = { PLANTROOM_WEBHOOK_PRIVATE: '127.0.0.1' }
  const { demo, child } = await startDemo(folder, reach)
  parts.defer(() => stopProgram(child))
  const server = await startEquipment()
  parts.defer(() => server.stop())
  const equipment = await commissionEquipment(demo, server)
  const vtn = await startProgram<BenchVtn>(join(import.meta.dirname, 'openadr-vtn.ts'))
  parts.defer(() => stopProgram(vtn.child))
  const address = await awaitEmbeddedPostgres({
    folder: join(folder, 'postgres'),
    clock: systemClock,
    log: createLog('bench', 'silent'),
    signal: AbortSignal.timeout(30_000),
  })
  const db = new pg.Client({ ...address })
  await db.connect()
  parts.defer(() => db.end())
  const bench = await openBench(demo, equipment, vtn, db)
  const worker = { PLANTROOM_DATA: folder, PLANTROOM_PUBLIC_URL: demo.baseUrl, ...reach }
  return [
    ...(await measurePush(bench)),
    ...(await measureLongLists(bench)),
    ...(await measureTakeover(bench, worker)),
    ...(await measurePolls(bench)),
  ]
}
