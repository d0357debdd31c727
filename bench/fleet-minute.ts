import { setTimeout } from 'node:timers/promises'
import { commissionAll } from './fleet-storage.ts'
import type { BenchCloud, BenchDevice, FleetBench } from './support/fleet.ts'
import { openConnection, requestBytes } from './support/http.ts'
import { against, alone, type Measurement } from './support/measurement.ts'
import { quantile } from './support/statistics.ts'

const VALUES = 20
const MINUTE_MS = 60_000
const CALLERS = 4
/** Between two commands of a caller: people and partners, not a load test. */
const PAUSE_MS = 20
/** Commands before the minute, for comparison. */
const LEAD_MS = 3_000
/** Controllers that get commands, in a process of their own: the others' process is busy sending. */
const ASKED = 20

/** Measures a minute in which all controllers send 20 values in the same second, with commands beside it. */
export async function measureMinute(bench: FleetBench, devices: number): Promise<Measurement[]> {
  const file = await bench.register('minute', devices, ['--values', String(VALUES)])
  await commissionAll(bench, file, devices)
  const asked = await bench.register('asked', ASKED, ['--values', String(VALUES)])
  await commissionAll(bench, asked, ASKED)
  await using answering = bench.start(asked, ASKED, ['--values', String(VALUES), '--interval', '3600'])
  await answering.until('they are connected', ({ connected }) => connected === ASKED)
  const aligned = ['--values', String(VALUES), '--aligned', '--connect-rate', '2000']
  await using fleet = bench.start(file, devices, aligned)
  await fleet.until('everybody is connected', ({ connected }) => connected === devices)
  // The minute before is sent on connecting.
  await fleet.until('the minute before is confirmed', ({ waitingValues }) => waitingValues === 0)
  const before = { resent: fleet.status?.resent ?? 0, confirmed: fleet.status?.confirmedValues ?? 0 }
  const minute = Math.ceil((Date.now() + LEAD_MS) / MINUTE_MS) * MINUTE_MS
  await setTimeout(minute - LEAD_MS - Date.now())
  const [cloud] = bench.clouds as [BenchCloud]
  const commands = sendCommands(bench, cloud, bench.devicesIn(asked))
  await fleet.until(
    'the minute is confirmed',
    ({ confirmedValues }) => confirmedValues >= before.confirmed + devices * VALUES,
  )
  const confirmedAt = Date.now()
  const took = confirmedAt - minute
  const all = await commands.stop()
  const latencies = all.filter(({ sentAt }) => sentAt >= minute && sentAt <= confirmedAt).map(({ ms }) => ms)
  const quiet = all.filter(({ sentAt }) => sentAt < minute).map(({ ms }) => ms)
  const resent = (fleet.status?.resent ?? 0) - before.resent
  const at = `${devices} controllers send ${VALUES} values in one second`
  const besides = `${latencies.length} commands beside it; floor: the seconds before`
  return [
    alone('aligned minute until confirmed', took / 1000, 's', `${at}; to 0.2 s; target: 3`),
    alone('aligned minute, batches sent again', resent, '', `${at}; target: 0`),
    against('aligned minute, command p50', [quantile(latencies, 0.5)], 'ms', [quantile(quiet, 0.5)], besides),
    against(
      'aligned minute, command p99',
      [quantile(latencies, 0.99)],
      'ms',
      [quantile(quiet, 0.99)],
      `${besides}; target: 100`,
    ),
  ]
}

/** Reads values of one device after the other until it is stopped. Returns the latencies in ms. */
function sendCommands(bench: FleetBench, cloud: BenchCloud, devices: readonly BenchDevice[]) {
  const { hostname, port } = new URL(cloud.baseUrl)
  const latencies: { sentAt: number; ms: number }[] = []
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
      const [sentAt, started] = [Date.now(), performance.now()]
      await connection.exchange(bytes())
      latencies.push({ sentAt, ms: performance.now() - started })
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
