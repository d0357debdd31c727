import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { measureCpu, measureMemory } from './poll-device.ts'
import { measureDriver } from './poll-driver.ts'
import { REGISTERS, startFaultyEdge, TEN_SILENT, TIMEOUT_MS } from './poll-faulty.ts'
import { measureRate } from './poll-rate.ts'
import { FLOOR_REGISTER, measureRecovery } from './poll-recovery.ts'
import { compareReleases, measureReleases, measureReleasesAtOnset } from './poll-release.ts'
import { compareHealthyReads, countHealthyReads, measureFresh, SETTLE_MS } from './poll-silent.ts'
import { startTimedEdge } from './poll-timed.ts'
import { type Demo, startDemo } from './support/demo.ts'
import type { Measurement } from './support/measurement.ts'
import { startProgram, stopProgram } from './support/processes.ts'

/** The maximum number of one connection: with the 8 requests of 1,000 datapoints the floor is not steady. */
const DATAPOINTS = 10_000
/** Long enough for the floor to run between two polls. */
const POLL_SECONDS = 0.4

/** Measures reading Modbus equipment: speed, memory, CPU, and the effect of silent equipment. */
export async function benchPoll(): Promise<Measurement[]> {
  // Runs first and alone, because its figure would include other load.
  const driver = await measureDriver()
  await using parts = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'plantroom-bench-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  const { demo, child } = await startDemo(folder)
  parts.defer(() => stopProgram(child))

  const rate = await rateOf(demo, folder)
  const memory = await measureMemory(demo, folder)
  const cpu = await measureCpu(demo, folder)
  const silence = await measureSilence(demo, folder)
  return [...driver, ...rate, ...memory, ...cpu, ...silence]
}

async function rateOf(demo: Demo, folder: string): Promise<Measurement[]> {
  await using edge = await startTimedEdge({ demo, folder, datapoints: DATAPOINTS, pollSeconds: POLL_SECONDS })
  await using floor = await startFloor('raw-reads.ts', edge.port)
  return await measureRate(edge, floor.child)
}

/** Measures equipment that is partly silent, then equipment that is completely silent and returns. */
async function measureSilence(demo: Demo, folder: string): Promise<Measurement[]> {
  return [...(await measureParts(demo, folder)), ...(await measureWhole(demo, folder))]
}

async function measureParts(demo: Demo, folder: string): Promise<Measurement[]> {
  await using edge = await startFaultyEdge(demo, folder)
  await using blocks = await startFloor('block-reads.ts', edge.equipment.port, REGISTERS, TIMEOUT_MS)
  const floorReads = await countHealthyReads(edge.equipment)
  const floorReleases = await measureReleases(edge)
  const onset = await measureReleasesAtOnset(edge)
  const fresh = await measureFresh(edge, blocks.child)
  edge.equipment.silence(TEN_SILENT)
  await setTimeout(SETTLE_MS)
  const reads = await countHealthyReads(edge.equipment)
  const releases = await measureReleases(edge)
  return [
    ...fresh,
    ...compareHealthyReads(reads, floorReads),
    ...compareReleases('release delay, 10 of 500 silent', releases, floorReleases),
    ...compareReleases('release delay, 10 of 500 fall silent', onset, floorReleases),
  ]
}

async function measureWhole(demo: Demo, folder: string): Promise<Measurement[]> {
  await using edge = await startFaultyEdge(demo, folder)
  await using _floor = await startFloor('repeated-read.ts', edge.equipment.port, FLOOR_REGISTER)
  return await measureRecovery(edge)
}

async function startFloor(name: string, ...args: readonly number[]) {
  const { child } = await startProgram(join(import.meta.dirname, 'floors', name), { args: args.map(String) })
  return { child, [Symbol.asyncDispose]: () => stopProgram(child) }
}
