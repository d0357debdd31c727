import { join } from 'node:path'
import { type PollingEdge, startPollingEdge } from './poll-edge.ts'
import type { Demo } from './support/demo.ts'
import { ask, startProgram, stopProgram } from './support/processes.ts'

const SERVER = join(import.meta.dirname, 'floors/polled-server.ts')
const REGISTERS_PER_REQUEST = 125

/** One poll, as the server saw it. */
export interface Poll {
  /** Its number on the socket. */
  poll: number
  /** Time from its first request to its last. */
  ms: number
}

/** A polling device, and a server that times its polls. */
export interface TimedEdge extends PollingEdge {
  /** Port of the server. */
  port: number
  /** The number of requests per poll. */
  requests: number
  /** Resolves with the next poll that the server sees, from any client. */
  nextPoll(): Promise<Poll>
}

/** Resolves when the device polls these datapoints, all `uint16` and adjacent. */
export async function startTimedEdge(options: {
  demo: Demo
  folder: string
  datapoints: number
  pollSeconds: number
}): Promise<TimedEdge> {
  const { datapoints } = options
  const requests = Math.ceil(datapoints / REGISTERS_PER_REQUEST)
  await using parts = new AsyncDisposableStack()
  const { child, ready } = await startProgram<{ port: number }>(SERVER, { args: [String(requests)] })
  parts.defer(() => stopProgram(child))
  const timed = { port: ready.port, nextPoll: () => ask<Poll>(child, {}) }
  const edge = await startPollingEdge({
    ...options,
    equipment: timed,
    datapoints: Array.from({ length: datapoints }, (_, register) => ({
      name: `Point ${register}`,
      accessType: 'READ',
      data: { register, type: 'uint16' },
    })),
  })
  parts.use(edge)

  const started = parts.move()
  return { ...edge, ...timed, requests, [Symbol.asyncDispose]: () => started.disposeAsync() }
}
