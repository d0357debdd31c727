import { setTimeout } from 'node:timers/promises'
import type { BenchCloud, FleetBench } from './support/fleet.ts'
import { alone, type Measurement } from './support/measurement.ts'

const LOOK_MS = 100
/** How long after the start of a cloud we wait for everybody. */
const PATIENCE_MS = 60_000
const GHOSTS_AFTER_MS = 5_000
/** Values come so rarely that none is sent meanwhile. */
const QUIET = ['--no-commission', '--connect-rate', '2000']

/**
 * Measures how long a restarted cloud needs to know that everybody is online, and how many of a fleet that lost its power
 * it still calls online after 5 s.
 */
export async function measurePresence(bench: FleetBench, devices: number): Promise<Measurement[]> {
  const file = await bench.register('presence', devices)
  await using fleet = bench.start(file, devices, QUIET)
  await fleet.until('everybody is connected', ({ connected }) => connected === devices)
  const [cloud] = bench.clouds as [BenchCloud]
  const first = await untilOnline(bench, cloud, devices)

  cloud.child.kill('SIGKILL')
  const killedAt = performance.now()
  const next = await bench.startCloud()
  const startedAt = performance.now()
  const back = await untilOnline(bench, next, devices)

  await fleet.kill()
  await setTimeout(GHOSTS_AFTER_MS)
  const ghosts = await bench.online(next)
  const at = `${devices} controllers, shipped Mosquitto profile`
  return [
    alone('devices known as online', first.online, '', `${at}; of a cloud that ran while they connected`),
    alone('devices back after kill -9 of the cloud', back.online, '', `${at}; within ${PATIENCE_MS / 1000} s`),
    alone(
      'time until all are back',
      back.online === devices ? (back.at - killedAt) / 1000 : Number.POSITIVE_INFINITY,
      's',
      `${at}; since the kill; the next process was ready after ${((startedAt - killedAt) / 1000).toFixed(1)} s; target: 6`,
    ),
    alone('ghosts after 5 s', ghosts, '', `${devices} controllers lost their power at once; target: 0`),
  ]
}

async function untilOnline(
  bench: FleetBench,
  cloud: BenchCloud,
  devices: number,
): Promise<{ online: number; at: number }> {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    const online = await bench.online(cloud)
    const at = performance.now()
    if (online === devices || at > end) return { online, at }
    await setTimeout(LOOK_MS)
  }
}
