import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { every, systemClock } from '@plantroom/base/clock'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { aConnection, aDatapoint } from '@plantroom/testkit/technical-system'
import { createCountingListener } from '../testing/counting-listener.ts'
import { describeDriver } from '../testing/driver-contract.ts'
import type { DriverRig } from '../testing/driver-rig.ts'
import { createExampleProtocol } from './driver.ts'

const FALLBACK = 5

/** Equipment with two setpoints that fall back to 5, a command, and a read-only meter. */
async function startEquipment() {
  const values = new Map<string, number>([
    ['setpoint', 0],
    ['limit', 0],
    ['command', 0],
    ['meter', 3],
  ])
  const written: string[] = []
  let isSilent = false
  let stalled: Promise<void> | undefined

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = request.url?.slice(1) ?? ''
    const body = (await request.toArray()).join('')
    if (request.method !== 'GET') written.push(name)
    if (isSilent) return
    await stalled
    if (name === '') return void response.end('ready')
    if (!values.has(name)) return void response.writeHead(404).end()
    if (request.method === 'PUT') values.set(name, Number(body))
    if (request.method === 'DELETE') values.set(name, FALLBACK)
    response.end(String(values.get(name)))
  }

  const server = createServer((request, response) => void answer(request, response).catch(() => {}))
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const port = await listen(0)

  return {
    url: `http://127.0.0.1:${port}/`,
    values,
    stall() {
      const { promise, resolve } = Promise.withResolvers<void>()
      stalled = promise
      written.length = 0
      return { resume: resolve, written: () => written }
    },
    silence() {
      isSilent = true
    },
    async drop() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
    async heal() {
      isSilent = false
      if (!server.listening) await listen(port)
    },
  }
}

async function startRig(): Promise<DriverRig> {
  const equipment = await startEquipment()
  const accessTypes = { setpoint: 'READ_WRITE', limit: 'READ_WRITE', command: 'WRITE', meter: 'READ', absent: 'READ' }
  const connection = aConnection({
    settings: { url: equipment.url, timeoutMs: 500 },
    datapoints: (['setpoint', 'limit', 'command', 'meter', 'absent'] as const).map((id) =>
      aDatapoint({ id, accessType: accessTypes[id] as 'READ', data: { path: `/${id}` } }),
    ),
  })
  const clock = createManualClock()
  const events = createCountingListener()
  const protocol = createExampleProtocol({ clock })
  let stopTime = () => {}
  const letTimePass = () => {
    stopTime()
    stopTime = every(systemClock, 1, () => clock.advanceNow(20))
  }

  return {
    driver: protocol.connect(connection, events),
    events,
    hasLink: false,
    points: ['setpoint', 'limit'],
    readOnly: 'meter',
    missing: 'absent',
    writeOnly: 'command',
    fallback: FALLBACK,
    at: async (id) => equipment.values.get(id) ?? Number.NaN,
    set: async (id, raw) => void equipment.values.set(id, raw),
    stall: async () => equipment.stall(),
    targets: {
      protocol,
      connection,
      tuning: { timeoutMs: 900, pollSeconds: 9 },
      elsewhere: { url: 'http://127.0.0.1:1/' },
      otherAddress: { path: '/elsewhere' },
      spelled: ['localhost', '127.0.0.1:80', '[::1]', '0x7f.1'].map((host) => ({ url: `http://${host}/` })),
    },
    async silence() {
      equipment.silence()
      letTimePass()
    },
    async drop() {
      await equipment.drop()
      letTimePass()
    },
    async heal() {
      stopTime()
      await equipment.heal()
    },
    async close() {
      stopTime()
      await equipment.drop()
    },
  }
}

describeDriver('example', startRig)
