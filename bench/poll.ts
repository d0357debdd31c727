import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureCpu, measureMemory } from './poll-device.ts'
import { measureDriver } from './poll-driver.ts'
import { measureRate } from './poll-rate.ts'
import { startTimedEdge } from './poll-timed.ts'
import { type Demo, startDemo } from './support/demo.ts'
import type { Measurement } from './support/measurement.ts'
import { startProgram, stopProgram } from './support/processes.ts'

/** As many as one connection may have: with the 8 requests of 1,000 the floor is not even steady against itself. */
const DATAPOINTS = 10_000
/** Long enough for the floor to have its turn between two polls. */
const POLL_SECONDS = 0.4

/** Reading Modbus equipment: how fast, in how much memory, at what cost of CPU. */
export async function benchPoll(): Promise<Measurement[]> {
  // First and alone: what else runs would be in its figure.
  const driver = await measureDriver()
  await using parts = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'plantroom-bench-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  const { demo, child } = await startDemo(folder)
  parts.defer(() => stopProgram(child))

  const rate = await rateOf(demo, folder)
  const memory = await measureMemory(demo, folder)
  const cpu = await measureCpu(demo, folder)
  return [...driver, ...rate, ...memory, ...cpu]
}

async function rateOf(demo: Demo, folder: string): Promise<Measurement[]> {
  await using edge = await startTimedEdge({ demo, folder, datapoints: DATAPOINTS, pollSeconds: POLL_SECONDS })
  const path = join(import.meta.dirname, 'floors/raw-reads.ts')
  const floor = await startProgram(path, { args: [String(edge.port)] })
  try {
    return await measureRate(edge, floor.child)
  } finally {
    await stopProgram(floor.child)
  }
}
