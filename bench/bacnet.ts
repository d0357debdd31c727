import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { createBacnetProtocol } from '@plantroom/drivers/bacnet/driver'
import type { Driver } from '@plantroom/drivers/driver'
import { aConnection, aDatapoint } from '@plantroom/testkit/technical-system'
import { against, type Measurement } from './support/measurement.ts'
import { startProgram, stopProgram } from './support/processes.ts'
import { quantile } from './support/statistics.ts'

const DEVICES = 50
const OBJECTS = 100
const PERIOD_MS = 10_000
const POLLS = 10
const WRITES = 1000
/** As long as a request for many properties. */
const DATAGRAM = Buffer.alloc(600)
/** Requests of a poll of one device: so many properties fit a message. */
const REQUESTS = 2

const IDS = Array.from({ length: OBJECTS }, (_, index) => `analog-value,${index}`)

/** Measures polls of many devices and writes to one, against bare datagrams to an echo on the same machine. */
export async function benchBacnet(): Promise<Measurement[]> {
  await using parts = new AsyncDisposableStack()
  const args = [DEVICES, OBJECTS].map(String)
  const path = join(import.meta.dirname, 'floors/bacnet-devices.ts')
  const { child, ready } = await startProgram<{ ports: number[]; echo: number }>(path, { args })
  parts.defer(() => stopProgram(child))
  const bare = createSocket('udp4')
  bare.bind(0, '127.0.0.1')
  await once(bare, 'listening')
  parts.defer(() => void bare.close())
  const echo = async () => {
    bare.send(DATAGRAM, ready.echo, '127.0.0.1')
    await once(bare, 'message')
  }

  const protocol = createBacnetProtocol({ clock: systemClock })
  const drivers = ready.ports.map((port, instance) => protocol.connect(connectionTo(port, instance)))
  for (const driver of drivers) parts.defer(() => driver.close())
  for (const driver of drivers) await driver.open(new AbortController().signal)
  const pollAll = async () => {
    for (const driver of drivers) await expectAll(driver)
  }
  const echoAll = async () => {
    for (let request = 0; request < DEVICES * REQUESTS; request += 1) await echo()
  }
  await pollAll()

  const [ours, floors]: [number[], number[]] = [[], []]
  for (let poll = 0; poll < POLLS; poll += 1) {
    floors.push(await cpuOf(echoAll))
    ours.push(await cpuOf(pollAll))
  }
  const share = (ms: readonly number[]) => ms.map((each) => (each / PERIOD_MS) * 100)

  const [writes, echoes]: [number[], number[]] = [[], []]
  const [first] = drivers
  for (let write = 0; write < WRITES; write += 1) {
    echoes.push(await msOf(echo))
    writes.push(await msOf(async () => first?.write('analog-value,0', write)))
  }
  const p99Of = (all: readonly number[]) => [quantile(all, 0.99)]
  const points = `${DEVICES * OBJECTS} points of ${DEVICES} devices every ${PERIOD_MS / 1000} s`
  return [
    against('BACnet polls, share of a core', share(ours), '%', share(floors), `${points}; target: below 10`),
    against('BACnet write p99', p99Of(writes), 'ms', p99Of(echoes), `${WRITES} writes; target: below 20`),
  ]
}

const connectionTo = (port: number, instance: number) =>
  aConnection({
    protocol: 'bacnet-ip',
    settings: { host: '127.0.0.1', port, deviceInstance: instance, mode: 'poll' },
    datapoints: IDS.map((object) => aDatapoint({ id: object, accessType: 'READ_WRITE', data: { object } })),
  })

async function expectAll(driver: Driver): Promise<void> {
  const readings = await driver.read(IDS)
  if (readings.some((reading) => 'error' in reading)) throw new Error('a point could not be read')
}

async function cpuOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

async function msOf(work: () => Promise<void>): Promise<number> {
  const before = performance.now()
  await work()
  return performance.now() - before
}
