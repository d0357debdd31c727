import { setTimeout } from 'node:timers/promises'
import { commissionAll } from './fleet-storage.ts'
import type { BenchCloud, FleetBench } from './support/fleet.ts'
import { alone, type Measurement } from './support/measurement.ts'

const MOST_DEVICES = 1_000
const SILENT_SHARE = 0.05
const DEADLINE_MS = 10_000
const LOOK_MS = 50

interface Progress {
  state: string
  counts: Record<'accepted' | 'refused' | 'offline' | 'expired' | 'pending', number>
}

/** Measures one dispatch to 1,000 controllers of which 50 are online and silent. */
export async function measureDispatch(bench: FleetBench, devices: number): Promise<Measurement[]> {
  const count = Math.min(devices, MOST_DEVICES)
  const silent = Math.round(count * SILENT_SHARE)
  const file = await bench.register('dispatch', count, ['--values', '1'])
  await commissionAll(bench, file, count, 1)
  await using fleet = bench.start(file, count, ['--values', '1', '--silent', String(silent), '--connect-rate', '2000'])
  await fleet.until('everybody is connected', ({ connected }) => connected === count)
  const [cloud] = bench.clouds as [BenchCloud]
  while ((await bench.online(cloud)) < count) await setTimeout(LOOK_MS)

  const startedAt = performance.now()
  const deadline = Date.now() + DEADLINE_MS
  const created = await call(bench, 'POST', '', {
    idempotencyKey: crypto.randomUUID(),
    select: { siteIds: [bench.siteId] },
    value: -20,
    from: new Date().toISOString(),
    to: new Date(Date.now() + 3_600_000).toISOString(),
    deadline: new Date(deadline).toISOString(),
  })
  if (!created) return [alone('fleet dispatch', 0, '', 'this version has no POST /dispatches')]
  const answeredMs = performance.now() - startedAt
  const id = String(created.id)
  const accepted = await until(bench, id, ({ counts }) => counts.accepted >= count - silent)
  const acceptedMs = performance.now() - startedAt
  const over = await until(bench, id, ({ counts }) => counts.pending === 0)
  const lateMs = Date.now() - deadline
  const reported = over.counts.expired + over.counts.offline
  const { overrides = 0 } = await fleet.until('the latest status', () => true)
  const at = `${count} controllers, ${silent} of them silent`
  return [
    alone('fleet dispatch, answered', answeredMs, 'ms', at),
    alone(
      'fleet dispatch, accepted by all others',
      acceptedMs,
      'ms',
      `${at}; ${accepted.counts.accepted}; target: 1000`,
    ),
    alone('fleet dispatch, silent ones reported', reported, '', `${at}; ${Math.round(lateMs)} ms after the deadline`),
    alone('fleet dispatch, overrides on controllers', overrides, '', `${at}; more than accepted would be a second one`),
  ]
}

async function until(bench: FleetBench, id: string, holds: (progress: Progress) => boolean): Promise<Progress> {
  const giveUpAt = performance.now() + 6 * DEADLINE_MS
  for (;;) {
    const progress = (await call(bench, 'GET', `/${id}`)) as unknown as Progress
    if (holds(progress)) return progress
    if (performance.now() > giveUpAt)
      throw new Error(`the dispatch does not get on: ${JSON.stringify(progress.counts)}`)
    await setTimeout(LOOK_MS)
  }
}

/** Returns `undefined` where the service does not know the route. */
async function call(
  { clouds, orgId, apiKey }: FleetBench,
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown> | undefined> {
  const response = await fetch(`${clouds[0]?.baseUrl}/api/orgs/${orgId}/dispatches${path}`, {
    method,
    headers: { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (response.status === 404) return undefined
  if (!response.ok) throw new Error(`${response.status}: ${text}`)
  return JSON.parse(text)
}
