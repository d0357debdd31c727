import { setTimeout } from 'node:timers/promises'
import type { ImportClient } from './import-client.ts'
import type { Demo } from './support/demo.ts'
import { against, type Measurement } from './support/measurement.ts'
import { openPartner } from './support/partner.ts'
import { untilIdle } from './support/processes.ts'
import { quantile } from './support/statistics.ts'

const ROUNDS = 2
const IDLE_POLLS = 200
/** A partner that polls as fast as possible would be the load it measures. */
const PACE_MS = 20

/** Measures values polls of a device while a package is imported, against the same polls just before. */
export async function measurePolls(demo: Demo, client: ImportClient, path: string): Promise<Measurement[]> {
  const partner = await openPartner(demo)
  const connectionId = demo.connections[0]?.id ?? ''
  const poll = async () => {
    await setTimeout(PACE_MS)
    const from = performance.now()
    await partner.values(connectionId)
    return performance.now() - from
  }

  const idle: number[][] = []
  const busy: number[][] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const site = await client.newSite()
    await site.upload(path)
    await untilIdle(Object.values(demo.pids))
    const before: number[] = []
    while (before.length < IDLE_POLLS) before.push(await poll())
    idle.push(before)

    const jobId = await site.startImport('rows.fpl')
    const meanwhile: number[] = []
    let isOver = false
    const over = site.succeeded(jobId).finally(() => {
      isOver = true
    })
    while (!isOver) meanwhile.push(await poll())
    await over
    busy.push(meanwhile)
  }
  partner.close()

  const at = (share: number, rounds: readonly number[][]) => rounds.map((round) => quantile(round, share))
  const note = `one poll each ${PACE_MS} ms, median of ${ROUNDS} imports of 50,000 requests; floor: just before`
  return [
    against('poll p50 during an import', at(0.5, busy), 'ms', at(0.5, idle), `${note}; target: at most 2`),
    against('poll p99 during an import', at(0.99, busy), 'ms', at(0.99, idle), note),
  ]
}
