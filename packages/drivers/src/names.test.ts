import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import type { Connection } from '@plantroom/contract/datapoint'
import { eventually } from '@plantroom/testkit/eventually'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Driver, Protocol, ProtocolDeps } from './driver.ts'
import { createModbusProtocol } from './modbus/driver.ts'
import { connectionOf as modbusConnection } from './modbus/testing/bench.ts'
import { createRegisterBank } from './modbus/testing/register-bank.ts'
import { startScriptedPeer } from './modbus/testing/scripted-peer.ts'
import { createMqttProtocol } from './mqtt/driver.ts'
import { connectionOf as mqttConnection } from './mqtt/testing/bench.ts'
import { startAedes } from './mqtt/testing/brokers.ts'
import { makeCertificate } from './mqtt/testing/certificate.ts'
import { startEquipment } from './mqtt/testing/equipment.ts'
import { startGateway } from './mqtt/testing/gateway.ts'
import { createNameLookup } from './name-lookup.ts'
import { createObixProtocol } from './obix/driver.ts'
import { connectionOf as obixConnection } from './obix/testing/bench.ts'
import { selfSigned } from './obix/testing/self-signed.ts'
import { startObixServer } from './obix/testing/server.ts'
import { createResolve } from './resolve-name.ts'
import { type DnsServer, startDnsServer } from './testing/dns-server.ts'

const never = new AbortController().signal

/** Equipment on loopback with one point, `power`. */
interface Equipment {
  create(deps: ProtocolDeps): Protocol
  /** Returns a connection to the equipment by this name. */
  connection(host: string): Connection
  /** Returns the value at the equipment. */
  value(): unknown
  /** Closes the links; new ones are accepted. */
  hangUp(): Promise<void>
}

async function startModbus(): Promise<Equipment> {
  const peer = await startScriptedPeer()
  onTestFinished(() => peer.stop())
  const bank = createRegisterBank()
  bank.holding.set(10, 1)
  peer.serve(bank.answer)
  return {
    create: createModbusProtocol,
    connection: (host) => modbusConnection({ power: { register: 10, type: 'uint16' } }, { host, port: peer.port }),
    value: () => bank.holding.get(10),
    async hangUp() {
      peer.hangUp()
      await peer.allClosed()
    },
  }
}

async function startMqtt(tlsName?: string): Promise<Equipment> {
  const certificate = tlsName === undefined ? undefined : makeCertificate(temporaryFolder(), `DNS:${tlsName}`)
  const broker = await startAedes(certificate && { certificate })
  onTestFinished(() => broker.stop())
  const gateway = await startGateway(broker)
  onTestFinished(() => gateway.stop())
  const equipment = await startEquipment(
    broker,
    'plain',
    certificate && { protocol: 'mqtts', rejectUnauthorized: false },
  )
  onTestFinished(() => equipment.stop())
  await equipment.set('power', 1)
  const data = { stateTopic: 'hp/power', commandTopic: 'hp/power/set' }
  return {
    create: createMqttProtocol,
    connection: (host) =>
      mqttConnection(
        { power: data },
        {
          url: `${certificate ? 'mqtts' : 'mqtt'}://${host}:${gateway.port}`,
          ...(certificate && { ca: certificate.certFile }),
        },
      ),
    value: () => equipment.values.get('power'),
    async hangUp() {
      gateway.drop()
      gateway.heal()
    },
  }
}

async function startObix(tlsName?: string): Promise<Equipment> {
  const own = tlsName === undefined ? undefined : selfSigned(tlsName)
  const server = await startObixServer({ power: { tag: 'real', val: '1', writable: true } }, own)
  onTestFinished(() => server.stop())
  const ca = join(temporaryFolder(), 'ca.pem')
  if (own) writeFileSync(ca, own.cert)
  return {
    create: createObixProtocol,
    connection: (host) =>
      obixConnection(
        { power: { href: 'points/power/' } },
        { url: server.url.replace('127.0.0.1', host), ...(own && { ca }) },
      ),
    value: () => Number(server.points.get('power')?.val),
    async hangUp() {
      await server.drop()
      await server.heal()
    },
  }
}

let dns: DnsServer
beforeEach(async () => {
  dns = await startDnsServer()
  return () => dns.stop()
})

/** Returns the lookup of a controller that has just started, whose system knows no name and never says so. */
function newLookup() {
  const nowhere = join(temporaryFolder(), 'nothing')
  const files = { hostsFile: nowhere, resolvConf: nowhere }
  const system = () => new Promise<never>(() => {})
  const resolve = createResolve({ clock: systemClock, servers: [dns.address], system, ...files })
  return createNameLookup({ clock: systemClock, resolve })
}

function connect(protocol: Protocol, connection: Connection): Driver {
  const driver = protocol.connect(connection)
  onTestFinished(() => driver.close())
  return driver
}

/** Opens and writes until that succeeds, as the edge does, and expects the value at the equipment. */
async function expectWritten(driver: Driver, value: number, at: Equipment): Promise<void> {
  await eventually(async () => {
    await driver.open(never)
    await driver.write('power', value, { release: true })
  })
  await eventually(() => expect(at.value()).toBe(value))
}

function openHangingNames(protocol: Protocol, equipment: Equipment): void {
  for (let index = 0; index < 8; index += 1) {
    const name = `hanging-${index}.test`
    dns.silent.add(name)
    connect(protocol, equipment.connection(name))
      .open(never)
      .catch(() => {})
  }
}

const NAME = 'equipment.test'

describe.each([
  ['Modbus TCP', startModbus],
  ['MQTT', startMqtt],
  ['MQTT over TLS', () => startMqtt(NAME)],
  ['oBIX', startObix],
  ['oBIX over TLS', () => startObix(NAME)],
])('equipment that is addressed by name: %s', (_, start) => {
  test('is written right after a start, beside eight names that hang', async () => {
    const equipment = await start()
    dns.records.set(NAME, ['127.0.0.1'])
    const protocol = equipment.create({ clock: systemClock, lookup: newLookup() })
    openHangingNames(protocol, equipment)
    await expectWritten(connect(protocol, equipment.connection(NAME)), 7, equipment)
  })

  test('is written at its last known address after its link was lost and no name can be found', async () => {
    const equipment = await start()
    dns.records.set(NAME, ['127.0.0.1'])
    const protocol = equipment.create({ clock: systemClock, lookup: newLookup() })
    const driver = connect(protocol, equipment.connection(NAME))
    await expectWritten(driver, 7, equipment)
    dns.isDown = true
    openHangingNames(protocol, equipment)
    await equipment.hangUp()
    await expectWritten(driver, 8, equipment)
  })
})

describe('equipment whose address changed', () => {
  test('is written at its new address', async () => {
    const equipment = await startModbus()
    // Nothing listens at the first address.
    dns.records.set(NAME, ['127.0.0.9'])
    const driver = connect(equipment.create({ clock: systemClock, lookup: newLookup() }), equipment.connection(NAME))
    await expect(driver.open(never)).rejects.toThrow('refused the connection')
    dns.records.set(NAME, ['127.0.0.1'])
    await expectWritten(driver, 7, equipment)
  })
})
