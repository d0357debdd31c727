import { join } from 'node:path'
import { alone, type Measurement } from './support/measurement.ts'
import type { OpenadrBench } from './support/openadr.ts'
import { startProgram } from './support/processes.ts'
import { median } from './support/statistics.ts'

const ROUNDS = 3
const SIGNALS = ['SIGKILL', 'SIGSTOP'] as const
const WORKER = join(import.meta.dirname, '../packages/cloud/src/worker.ts')

/** Measures how long after a worker died in the middle of a poll another one asks the same VTN. */
export async function measureTakeover(
  bench: OpenadrBench,
  environment: Readonly<Record<string, string>>,
): Promise<Measurement[]> {
  const { demo, db, operate } = bench
  await operate({ kind: 'add', program: 'stalled', count: 1, from: Date.now() })
  const programId = await bench.follow(demo.orgId, 'stalled', { pollSeconds: 3600 })
  await bench.until('the first poll', async () => {
    const { rows } = await db.query('SELECT FROM openadr_program WHERE id = $1 AND polled_at IS NOT NULL', [programId])
    return rows.length > 0
  })
  const measurements: Measurement[] = []
  for (const signal of SIGNALS) {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const { child } = await startProgram(WORKER, { env: environment })
      // Only the new one is there to ask.
      process.kill(demo.pids.worker, 'SIGSTOP')
      try {
        const stalled = operate({ kind: 'stall' })
        await db.query('UPDATE openadr_program SET poll_at = now(), due_at = now() WHERE id = $1', [programId])
        await stalled
        child.kill(signal)
      } finally {
        process.kill(demo.pids.worker, 'SIGCONT')
      }
      const from = Date.now()
      times.push((await operate({ kind: 'answer' })).at - from)
      child.kill('SIGKILL')
    }
    const what = signal === 'SIGKILL' ? 'killed' : 'halted'
    const note = `median of ${ROUNDS}, each in the middle of a poll; a lease lasts 7500; target: 10000`
    measurements.push(alone(`takeover from a worker that is ${what}`, median(times), 'ms', note))
  }
  await bench.admin.removeOpenadrProgram({ orgId: demo.orgId, programId })
  return measurements
}
