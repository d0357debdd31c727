import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { against, type Measurement } from './support/measurement.ts'
import { ask, cpuMs, startProgram, stopProgram } from './support/processes.ts'

const REGISTERS_PER_REQUEST = 125
/** The maximum number of one connection. */
const DATAPOINTS = 10_000
const REQUESTS = DATAPOINTS / REGISTERS_PER_REQUEST
const POLLS = 5
const WARM_UP_ROUNDS = 20
const ROUNDS = 100

/** Wall time and CPU time of one process, in ms. */
interface Spent {
  ms: number
  cpu: number
}

/**
 * Measures how fast the driver reads, from the call to decoded readings, against raw requests to the same server. Each
 * runs in its own process with one socket, alternating.
 */
export async function measureDriver(): Promise<Measurement[]> {
  await using parts = new AsyncDisposableStack()
  async function start<Ready>(path: string, ...args: readonly number[]) {
    const program = await startProgram<Ready>(join(import.meta.dirname, path), { args: args.map(String) })
    parts.defer(() => stopProgram(program.child))
    return program
  }
  const { port } = (await start<{ port: number }>('floors/polled-server.ts', REQUESTS)).ready
  const floor = (await start('floors/raw-reads.ts', port)).child
  const ours = (await start('floors/driver-reads.ts', port, DATAPOINTS)).child

  const rounds: { ours: Spent; floor: Spent }[] = []
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    const both = { floor: await polled(floor), ours: await polled(ours) }
    if (round >= 0) rounds.push(both)
  }

  const datapoints = POLLS * DATAPOINTS
  const rates = (whose: 'ours' | 'floor') => rounds.map((round) => (datapoints / round[whose].ms) * 1000)
  const cpus = (whose: 'ours' | 'floor') => rounds.map((round) => (round[whose].cpu / datapoints) * 1000)
  const at = `${REQUESTS} requests a poll, polls without a pause, median of ${ROUNDS} rounds of ${POLLS}`
  return [
    against('datapoints read by the driver', rates('ours'), '1/s', rates('floor'), `${at}; target: 0.8`),
    against('driver CPU of 1,000', cpus('ours'), 'ms', cpus('floor'), `${at}; planned, read, decoded`),
  ]
}

async function polled(program: ChildProcess): Promise<Spent> {
  const before = cpuMs(program.pid ?? 0)
  const { ms } = await ask<{ ms: number }>(program, { requests: REQUESTS, polls: POLLS })
  return { ms, cpu: cpuMs(program.pid ?? 0) - before }
}
