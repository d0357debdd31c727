import type { ChildProcess } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import type { TimedEdge } from './poll-timed.ts'
import { against, type Measurement } from './support/measurement.ts'
import { ask, cpuMs } from './support/processes.ts'

const WARM_UP_ROUNDS = 6
const ROUNDS = 20
/** Until the device has processed its readings. */
const SETTLE_MS = 100
const REGISTERS_PER_REQUEST = 125

/** Wall time from the first request to the last, and CPU time of the whole poll, in ms. */
interface Round {
  oursMs: number
  floorMs: number
  oursCpu: number
  floorCpu: number
}

/**
 * Measures at the server how fast the device reads while it polls, against raw requests to the same server right after
 * it. The time before the first request and after the last is invisible from outside; the second figure includes it.
 */
export async function measureRate(edge: TimedEdge, floor: ChildProcess): Promise<Measurement[]> {
  const rounds: Round[] = []
  let last: { poll: number; cpu: number } | undefined
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    const ours = await edge.nextPoll()
    await setTimeout(SETTLE_MS)
    const cpu = cpuMs(edge.pid())
    const before = last
    last = { poll: ours.poll, cpu }

    const floorBefore = cpuMs(floor.pid ?? 0)
    const [raw] = await Promise.all([edge.nextPoll(), ask(floor, { requests: edge.requests, polls: 1 })])
    const floorCpu = cpuMs(floor.pid ?? 0) - floorBefore
    if (!before || round < 0) continue
    const oursCpu = (cpu - before.cpu) / (ours.poll - before.poll)
    rounds.push({ oursMs: ours.ms, floorMs: raw.ms, oursCpu, floorCpu })
  }

  const all = (figure: (round: Round) => number) => rounds.map(figure)
  // The first request starts the watch, so it is not timed.
  const timed = (edge.requests - 1) * REGISTERS_PER_REQUEST
  const perSecond = (ms: number) => (timed / ms) * 1000
  const timedShare = (edge.requests - 1) / edge.requests
  const whole = ({ floorMs, oursCpu, floorCpu }: Round) => perSecond(floorMs + (oursCpu - floorCpu) * timedShare)
  const floors = all(({ floorMs }) => perSecond(floorMs))

  const datapoints = edge.requests * REGISTERS_PER_REQUEST
  const perThousand = 1000 / datapoints
  const at = `${edge.requests} requests a poll, median of ${ROUNDS} polls`
  return [
    against(
      `${datapoints} polled by the edge`,
      all(({ oursMs }) => perSecond(oursMs)),
      '1/s',
      floors,
      `${at}; first to last request, at the server; made live after that`,
    ),
    against(
      `${datapoints} by the edge, whole poll`,
      all(whole),
      '1/s',
      floors,
      `${at}; all CPU beyond the floor's counted as time: at least`,
    ),
    against(
      `edge CPU of 1,000, ${datapoints} a poll`,
      all(({ oursCpu }) => oursCpu * perThousand),
      'ms',
      all(({ floorCpu }) => floorCpu * perThousand),
      `${at}; planned, read, decoded, live`,
    ),
  ]
}
