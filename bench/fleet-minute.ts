import { setTimeout } from 'node:timers/promises'
import { commissionAll } from './fleet-storage.ts'
import type { BenchCloud, BenchDevice, FleetBench } from './support/fleet.ts'
import { openConnection, requestBytes } from './support/http.ts'
import { alone, type Measurement } from './support/measurement.ts'
import { quantile } from './support/statistics.ts'

const VALUES = 20
const MINUTE_MS = 60_000
const CALLERS = 4
/** Between two commands of a caller: people and partners, not a load test. */
const PAUSE_MS = 20
/** Longer than the next minute can be away, and enough to confirm it. */
const PATIENCE_MS = 3 * MINUTE_MS

/** Measures a minute in which all controllers send 20 values in the same second, with commands beside it. */
export async function measureMinute(bench: FleetBench, devices: number): Promise<Measurement[]> {
  const file = await bench.register('minute', devices, ['--values', String(VALUES)])
  await commissionAll(bench, file, devices)
  const aligned = ['--values', String(VALUES), '--aligned', '--connect-rate', '2000']
  await using fleet = bench.start(file, devices, aligned)
  await fleet.until('everybody is connected', ({ connected }) => connected === devices)
  // The minute before is sent on connecting.
  await fleet.until('the minute before is confirmed', ({ waitingValues }) => waitingValues === 0)
  const before = fleet.status?.resent ?? 0
  const minute = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS
  await setTimeout(minute - Date.now())
  const [cloud] = bench.clouds as [BenchCloud]
  const commands = sendCommands(bench, cloud, bench.devicesIn(file))
  await setTimeout(300)
  const { took } = await untilConfirmed()
  const latencies = await commands.stop()
  const resent = (fleet.status?.resent ?? 0) - before
  const at = `${devices} controllers send ${VALUES} values in one second`
  return [
    alone('aligned minute until confirmed', took / 1000, 's', `${at}; to 0.2 s; target: 3`),
    alone('aligned minute, batches sent again', resent, '', `${at}; target: 0`),
    alone('aligned minute, command p50', quantile(latencies, 0.5), 'ms', `${latencies.length} commands beside it`),
    alone('aligned minute, command p99', quantile(latencies, 0.99), 'ms', `${at}; target: 100`),
  ]

  async function untilConfirmed(): Promise<{ took: number }> {
    const giveUpAt = performance.now() + PATIENCE_MS
    const confirmed = fleet.until('the minute is confirmed', ({ waitingValues }) => waitingValues === 0)
    await confirmed
    if (performance.now() > giveUpAt) throw new Error('the minute took too long')
    return { took: Date.now() - minute }
  }
}

/** Reads values of one device after the other until it is stopped. Returns the latencies in ms. */
function sendCommands(bench: FleetBench, cloud: BenchCloud, devices: readonly BenchDevice[]) {
  const { hostname, port } = new URL(cloud.baseUrl)
  const latencies: number[] = []
  let isOver = false
  let next = 0

  async function call(): Promise<void> {
    const connection = await openConnection({ host: hostname, port: Number(port) })
    while (!isOver) {
      const device = devices[(next * 7919) % devices.length] as BenchDevice
      next += 1
      const bytes = requestBytes({
        ...{ host: hostname, port: Number(port) },
        path: `/api/orgs/${bench.orgId}/edge-device-admin/${device.id}/cmd/getTechnicalConnectionValues`,
        headers: { 'X-Api-Key': bench.apiKey, 'Content-Type': 'application/json' },
        body: JSON.stringify({ data: { id: device.system?.connectionId ?? '' } }),
      })
      const sentAt = performance.now()
      await connection.exchange(bytes())
      latencies.push(performance.now() - sentAt)
      await setTimeout(PAUSE_MS)
    }
    connection.close()
  }
  const callers = Promise.all(Array.from({ length: CALLERS }, call))
  return {
    async stop() {
      isOver = true
      await callers
      return latencies
    },
  }
}
