import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { systemClock } from '@plantroom/base/clock'
import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Protocol } from '../driver.ts'
import { never } from '../testing/driver-rig.ts'
import { scan, scanInStep } from '../testing/scan.ts'
import { BACNET, dissect, withoutTshark } from '../testing/tshark.ts'
import { encodeUnconfirmed, SERVICE, UNCONFIRMED } from './apdu.ts'
import { createBacnetProtocol } from './driver.ts'
import { DESCRIBING, DEVICE, PROPERTY } from './names.ts'
import { concat, encodeValue } from './tags.ts'
import { connectionOf } from './testing/bench.ts'
import { type SimulatedDevice, startDevice } from './testing/device-simulator.ts'
import { type SimulatedObject, simulatedObject } from './testing/objects.ts'

const OBJECTS: Record<string, Partial<SimulatedObject>> = {
  'analog-input,1': { name: 'Supply air', description: 'AHU 1', fallback: 19.5, units: 'degrees-celsius' },
  'analog-output,2': { name: 'Valve', units: 'percent', range: [0, 100] },
  'analog-value,3': { name: 'Setpoint', units: 'no-units' },
  'binary-output,4': { name: 'Fan' },
  'multi-state-value,5': { name: 'Fan', fallback: 2 },
  'analog-input,6': { isOutOfService: true },
}
const TEXTS = { [PROPERTY['object-name']]: 'AHU', [DESCRIBING.vendorName]: 'ACME', [DESCRIBING.modelName]: 'C7' }

async function aDevice(about: Partial<SimulatedDevice> = {}, objects = OBJECTS, address?: string) {
  const map = new Map(Object.entries(objects).map(([id, special]) => [id, simulatedObject(id, special)]))
  const device = await startDevice(map, { texts: TEXTS, ...about }, address)
  onTestFinished(() => device.stop())
  return device
}

const bacnet = () => createBacnetProtocol({ clock: systemClock })
const at = ({ port }: { port: number }, about: object = {}) => ({
  host: '127.0.0.1',
  port,
  timeoutMs: 10_000,
  retries: 0,
  ...about,
})
const namesOf = ({ found }: Awaited<ReturnType<typeof scan>>) =>
  found.map(({ datapoints }) => datapoints.map(({ data }) => data.object))

describe('a scan for devices', () => {
  test('finds a device with its objects, which a commissioning file takes as they are', async () => {
    const device = await aDevice()
    const protocol = bacnet()
    const { found, warnings } = await scan(protocol, at(device))
    expect(warnings).toEqual([])
    expect(found).toEqual([
      {
        ...{ name: 'AHU', protocol: 'bacnet-ip', description: 'ACME C7', warnings: [] },
        settings: at(device, { deviceInstance: 1234 }),
        datapoints: [
          {
            ...{ name: 'Supply air', accessType: 'READ', raw: 19.5, unit: '°C', description: 'AHU 1', warnings: [] },
            data: { object: 'analog-input,1', units: 'degrees-celsius' },
          },
          {
            ...{ name: 'Valve', accessType: 'READ_WRITE', commandable: true, raw: 0, unit: '%', warnings: [] },
            ...{ writeInputData: { min: 0, max: 100 }, data: { object: 'analog-output,2', units: 'percent' } },
          },
          {
            ...{ name: 'Setpoint', accessType: 'READ', commandable: true, raw: 0, data: { object: 'analog-value,3' } },
            warnings: [expect.stringContaining('no unit'), expect.stringContaining('within which bounds')],
          },
          {
            ...{ name: 'Fan', accessType: 'READ_WRITE', commandable: true, raw: 0, unit: 'on/off', warnings: [] },
            ...{ writeInputData: { min: 0, max: 1 }, data: { object: 'binary-output,4', states: ['Off', 'On'] } },
          },
          {
            ...{ name: 'Fan (multi-state-value,5)', accessType: 'READ_WRITE', commandable: true, raw: 2, warnings: [] },
            ...{ writeInputData: { min: 1, max: 3 } },
            data: { object: 'multi-state-value,5', states: ['Off', 'Low', 'High'] },
          },
          {
            ...{ name: 'analog-input,6', accessType: 'READ', raw: 0, unit: '°C' },
            data: { object: 'analog-input,6', units: 'degrees-celsius' },
            warnings: [expect.stringContaining('out of service')],
          },
        ],
      },
    ])
    for (const { settings, datapoints } of found) expect(protocol.check({ settings, datapoints })).toEqual([])
  })

  test.each([
    ['tells only its own network where it is', { answersWhoIs: false }],
    ['answers in segments', { segmentAt: 60 }],
    ['is old, and aborts what is long', { readsMultiple: false, maxAnswer: 60 }],
    ['aborts what is long', { maxAnswer: 120 }],
    ['fails requests as a whole', { failsAsAWhole: true }],
  ])('finds all objects of a device that %s', async (_, about) => {
    expect(namesOf(await scanInStep(createBacnetProtocol, at(await aDevice(about))))).toEqual([Object.keys(OBJECTS)])
  })

  test('finds a device behind a router, and says how to reach it', async () => {
    const device = await aDevice({ behind: { network: 5, mac: Uint8Array.of(7) } }, { 'analog-input,1': {} })
    const { found } = await scanInStep(createBacnetProtocol, at(device, { network: 5, timeoutMs: 4000 }))
    expect(found).toMatchObject([{ settings: { host: '127.0.0.1', network: 5, mac: 7, deviceInstance: 1234 } }])
  })

  test('finds the devices of a small network, and warns of an instance that is there twice', async () => {
    const one = await aDevice({}, { 'analog-input,1': {} })
    await aDevice({ port: one.port }, { 'analog-input,2': {} }, '127.0.0.2')
    const scanned = await scanInStep(createBacnetProtocol, at(one, { host: '127.0.0.0/30', timeoutMs: 4000 }))
    expect(namesOf(scanned).flat().sort()).toEqual(['analog-input,1', 'analog-input,2'])
    expect(scanned.found.map(({ settings }) => settings.host).sort()).toEqual(['127.0.0.1', '127.0.0.2'])
    expect(scanned.warnings).toEqual([expect.stringMatching(/^device 1234 answers at 127\.0\.0\.\d.* must be unique/)])
  })

  test('reads what it can of a device that claims a million objects', async () => {
    const device = await aDevice({ claims: 1_000_000 }, { 'analog-input,1': {}, 'analog-input,2': {} })
    const { found } = await scan(bacnet(), at(device))
    expect(found[0]?.datapoints).toHaveLength(2)
    expect(found[0]?.warnings).toEqual(['the list of device 1234 repeats itself after 2 objects'])
  })

  test('leaves out an object of the list that is not there', async () => {
    const device = await aDevice({}, { 'analog-input,1': {} })
    const map = device.objects as Map<string, SimulatedObject>
    map.set('nowhere', simulatedObject('analog-input,2'))
    const { found } = await scan(bacnet(), at(device))
    expect(found[0]?.datapoints.map(({ name }) => name)).toEqual(['analog-input,1'])
    expect(found[0]?.warnings).toEqual(['analog-input,2 was left out: the device reports: unknown object'])
  })

  test('leaves out an object that does not answer', async () => {
    const device = await aDevice({}, { 'analog-input,1': {}, 'analog-input,2': { isSilent: true } })
    const { found } = await scanInStep(createBacnetProtocol, at(device, { timeoutMs: 4000 }))
    expect(found[0]?.datapoints.map(({ name }) => name)).toEqual(['analog-input,1'])
    expect(found[0]?.warnings).toEqual(['analog-input,2 was left out: analog-input,2 did not answer'])
  })

  test('writes nothing, and every frame is what the standard wants', async (context) => {
    const device = await aDevice({ segmentAt: 60 })
    await scan(bacnet(), at(device))
    expect(new Set(device.requests)).toEqual(new Set([SERVICE.readProperty, SERVICE.readPropertyMultiple]))
    if (withoutTshark) return context.skip()
    const dissected = await dissect(device.datagrams, BACNET)
    expect(dissected).toHaveLength(device.datagrams.length)
    expect(dissected.filter(({ isWrong, protocols }) => isWrong || !protocols.endsWith('bacapp'))).toEqual([])
    expect(dissected.map(({ info }) => info).join('\n')).toMatch(/who-Is[\s\S]*i-Am[\s\S]*object-list/)
  })

  test('is bounded when four thousand devices answer, and garbage arrives', async () => {
    const socket = createSocket('udp4').bind(0, '127.0.0.1')
    await once(socket, 'listening')
    onTestFinished(() => void socket.close())
    const { port } = socket.address() as AddressInfo
    socket.once('message', (_bytes, from) => {
      for (const bytes of [[], [0x81], [0x81, 10, 0, 4], [0x81, 10, 0, 9, 1, 0, 0x10, 0, 0xc4]]) {
        socket.send(Uint8Array.from(bytes), from.port, from.address)
      }
      for (let device = 0; device < 4000; device += 1) socket.send(iAmBehind(device), from.port, from.address)
    })
    const cancelled = new AbortController()
    const { warnings, found } = await scan(bacnet(), at({ port }, { network: 5, timeoutMs: 30_000 }), {
      signal: cancelled.signal,
      seen: () => cancelled.abort(),
    })
    expect([warnings, found]).toEqual([[expect.stringContaining('more than 128 devices answered')], []])
  })

  test('of a host that is silent finds nothing; of an unknown one says so', async () => {
    const device = await aDevice({ isSilent: true })
    const nothing = { found: [], warnings: [], progress: '0 of 0' }
    expect(await scan(bacnet(), at(device, { timeoutMs: 50 }))).toEqual(nothing)
    await expect(scan(bacnet(), at(device, { host: 'no-such-host.invalid' }))).rejects.toThrow('cannot be found')
  })

  test.each([
    [{ host: '10.0.0.0/16' }, 'at most 256 addresses (/24)'],
    [{ host: '10.0.0.0/24', network: 5 }, 'settings.network: must be a number from 1 to 65535'],
    [{ host: '10.0.0.1', network: 0 }, 'settings.network'],
    [{ host: '10.0.0.1', hosts: [] }, 'settings.hosts: is not a known field'],
    [{}, 'settings.host: is missing'],
  ])('of %j is refused: %s', async (settings, message) => {
    await expect(scan(bacnet(), settings)).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining(message),
    })
  })

  test('delays a setpoint and a release by one request at most', async () => {
    const device = await aDevice()
    const protocol: Protocol = bacnet()
    const driver = protocol.connect(
      connectionOf(['analog-output,2', 'analog-value,3'], at(device, { timeoutMs: 30_000, mode: 'poll' })),
    )
    onTestFinished(() => driver.close())
    await driver.open(never)
    const before = device.requests.length
    const resume = device.stall()
    const scanning = scan(protocol, at(device, { timeoutMs: 30_000 }))
    await eventually(() => expect(device.requests.length).toBe(before + 1))
    const commands = [driver.write('analog-output,2', 20), driver.relinquish?.('analog-value,3')]
    resume()
    await Promise.all(commands)
    // The first is that of the scan; a release reads the slots before and after.
    const { readProperty, writeProperty } = SERVICE
    const all = device.requests.slice(before, before + 5)
    expect(all).toEqual([readProperty, readProperty, writeProperty, readProperty, writeProperty])
    await scanning
  })

  test('ends when it is cancelled, in the middle of a device', async () => {
    const device = await aDevice()
    device.stall()
    const cancelled = new AbortController()
    const scanning = scan(bacnet(), at(device, { timeoutMs: 30_000 }), { signal: cancelled.signal })
    await eventually(() => expect(device.requests.length).toBe(1))
    cancelled.abort()
    expect(await scanning).toMatchObject({ found: [], warnings: [] })
  })
})

/** What a router passes on from one of many devices. */
function iAmBehind(device: number): Uint8Array {
  const npdu = [1, 0x08, 0, 5, 2, device >> 8, device & 255]
  const id = encodeValue({ tag: 'object', value: { type: DEVICE, instance: device } })
  const apdu = encodeUnconfirmed(UNCONFIRMED.iAm, id)
  const length = 4 + npdu.length + apdu.length
  return concat([0x81, 10, length >> 8, length & 255], npdu, apdu)
}
