import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { describe, expect, onTestFinished, test } from 'vitest'
import { scan, scanInStep } from '../testing/scan.ts'
import { createModbusProtocol, createRtuOverTcpProtocol, createSerialProtocol } from './driver.ts'
import { connectionOf, never } from './testing/bench.ts'
import { layout, UNIT } from './testing/every-type.ts'
import { startPtyPair, withoutSocat } from './testing/pty-pair.ts'
import { startPymodbus, withoutPymodbus } from './testing/pymodbus.ts'
import { type PeerRequest, startScriptedPeer } from './testing/scripted-peer.ts'

async function aPeer(serve: (request: PeerRequest) => void) {
  const peer = await startScriptedPeer()
  onTestFinished(() => peer.stop())
  peer.serve(serve)
  return { peer, settings: { host: '127.0.0.1', port: peer.port, timeoutMs: 10_000 } }
}

const tcp = () => createModbusProtocol({ clock: systemClock })
const unitsOf = ({ found }: Awaited<ReturnType<typeof scan>>) => found.map(({ settings }) => settings.unitId)

const identification = (more: number, next: number, texts: Record<number, string>) => {
  const objects = Object.entries(texts).flatMap(([id, text]) => [Number(id), text.length, ...Buffer.from(text)])
  return [43, 14, 1, 1, more, next, Object.keys(texts).length, ...objects]
}

describe('a scan for units', () => {
  test('finds those that answer, also with an exception, and what they say about themselves', async () => {
    const { settings } = await aPeer((request) => {
      const { unitId, functionCode } = request
      if (unitId === 3 && functionCode === 43) {
        const isFirst = request.body[2] === 0
        return request.answer(isFirst ? identification(255, 1, { 0: 'ACME' }) : identification(0, 0, { 1: 'Meter 7' }))
      }
      if (unitId === 3) return request.answerRegisters(...Array.from({ length: request.count }, () => 0))
      if (unitId === 5) return request.answer([functionCode | 0x80, 1])
      if (unitId === 6) return request.answer([functionCode | 0x80, 11])
    })
    const scanned = await scanInStep(createModbusProtocol, { ...settings, timeoutMs: 4000, unitIds: '1-3,5-6' })
    expect(scanned.found).toMatchObject([
      {
        ...{
          protocol: 'modbus-tcp',
          settings: { ...settings, timeoutMs: 4000, unitId: 3 },
          datapoints: [],
          description: 'ACME Meter 7',
        },
        ...{
          name: `ACME Meter 7, unit 3 at 127.0.0.1:${settings.port}`,
          warnings: [expect.stringContaining('no list')],
        },
      },
      { settings: { unitId: 5 }, description: '' },
    ])
    expect([scanned.warnings, scanned.progress]).toEqual([[], '5 of 5'])
  })

  test('asks questions only, and says which unit describes itself', async () => {
    const functions = new Set<number>()
    const { settings } = await aPeer((request) => {
      functions.add(request.functionCode)
      if (request.functionCode === 43) return request.answer([0xab, 1])
      const isPlace = request.address === 40_000
      request.answerRegisters(...(isPlace ? [0x5375, 0x6e53] : Array.from({ length: request.count }, () => 0)))
    })
    const { found } = await scan(tcp(), { ...settings, unitIds: [1] })
    expect(found[0]?.warnings).toEqual([expect.stringContaining('SunSpec')])
    expect(functions).toEqual(new Set([3, 43]))
  })

  test('survives garbage in place of answers, and texts that never end', async () => {
    const { settings } = await aPeer((request) => {
      if (request.unitId === 1) return void request.socket.write(Buffer.alloc(300, 0x55))
      if (request.functionCode === 43) return request.answer(identification(255, 0, { 0: '\u0000\u001b[2J' }))
      request.answerRegisters(...Array.from({ length: request.count }, () => 0))
    })
    const { found, warnings } = await scan(tcp(), { ...settings, unitIds: '1-2' })
    expect(warnings).toEqual([expect.stringContaining('127.0.0.1')])
    expect(found[0]?.description).not.toMatch(/\p{Cc}/u)
    expect(unitsOf({ found, warnings, progress: '' })).toEqual([2])
  })

  test('of a host that cannot be reached says why; of a network it is no news', async () => {
    const { peer, settings } = await aPeer(() => {})
    await peer.stop()
    await expect(scan(tcp(), { ...settings, unitIds: '1' })).rejects.toThrow('refused the connection')
    await expect(scan(tcp(), { ...settings, host: 'no-such-host.invalid' })).rejects.toThrow('no-such-host.invalid')
    const network = await scan(tcp(), { ...settings, host: '127.0.0.0/30', unitIds: '1' })
    expect(network).toEqual({ found: [], warnings: [], progress: '2 of 2' })
  })

  test.each([
    [{ host: '10.0.0.0/16' }, 'at most 256 addresses (/24)'],
    [{ host: '10.0.0.0/24', unitIds: '1-32' }, '32 units at each of 254 hosts are more than 1024 questions'],
    [{ host: '10.0.0.1', unitIds: '9-3' }, 'must be unit ids from 0 to 255, such as 1-10,20'],
    [{ host: '10.0.0.1', unitIds: '1-999' }, 'must be unit ids'],
    [{ host: '10.0.0.1', unitIds: {} }, 'must be unit ids'],
    [{ host: '10.0.0.1', port: 0 }, 'settings.port'],
    [{ host: '10.0.0.1', units: 3 }, 'settings.units: is not a known field'],
  ])('of %j is refused: %s', async (settings, message) => {
    await expect(scan(tcp(), settings)).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining(message),
    })
  })

  test('ends when it is cancelled, and leaves no connection open', async () => {
    const { peer, settings } = await aPeer((request) => request.answer([request.functionCode | 0x80, 1]))
    const cancelled = new AbortController()
    const { found } = await scan(tcp(), settings, { signal: cancelled.signal, seen: () => cancelled.abort() })
    expect(found.length).toBeLessThan(2)
    await peer.allClosed()
  })

  test('delays a release and an override by one request at most', async () => {
    const order: string[] = []
    const kept: PeerRequest[] = []
    const arrived = Promise.withResolvers<void>()
    const { settings } = await aPeer((request) => {
      const { functionCode, unitId } = request
      order.push(functionCode === 6 ? `write ${request.count}` : `scan ${unitId}`)
      if (functionCode === 6) return request.answer([6, ...request.body])
      if (unitId !== 2 || kept.length > 0) return request.answer([functionCode | 0x80, 1])
      kept.push(request)
      arrived.resolve()
    })
    const protocol = tcp()
    const points = { power: { register: 1, type: 'int16' } }
    const driver = protocol.connect(connectionOf(points, { ...settings, timeoutMs: 10_000, unitId: 1 }))
    onTestFinished(() => driver.close())
    await driver.open(never)
    const scanning = scan(protocol, { ...settings, timeoutMs: 10_000, unitIds: '2-4' })
    await arrived.promise
    const writes = [driver.write('power', 20), driver.write('power', 10, { release: true })]
    kept[0]?.answer([0x83, 1])
    await Promise.all(writes)
    await scanning
    expect(order.slice(0, 3)).toEqual(['scan 2', 'write 20', 'write 10'])
  })
})

describe.skipIf(withoutPymodbus)('a third-party server: pymodbus', () => {
  const found = (protocol: string) => ({
    found: [{ protocol, settings: { unitId: UNIT }, description: 'Pymodbus PM 3.0' }],
    warnings: [],
  })
  const unitIds = [UNIT]

  test('is found by Modbus TCP and by RTU over TCP', async () => {
    const server = await startPymodbus(layout())
    onTestFinished(() => server.kill())
    const line = await startPymodbus(layout(), 0, { framer: 'rtu' })
    onTestFinished(() => line.kill())
    const at = ({ port }: { port: number }) => ({ host: '127.0.0.1', port, timeoutMs: 10_000, unitIds })
    expect(await scan(tcp(), at(server))).toMatchObject(found('modbus-tcp'))
    const rtu = createRtuOverTcpProtocol({ clock: systemClock })
    expect(await scan(rtu, at(line))).toMatchObject(found('modbus-rtu-tcp'))
  })

  test.skipIf(withoutSocat)('is found on a serial line', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plantroom-serial-'))
    const pair = await startPtyPair(folder)
    onTestFinished(async () => {
      await pair.stop()
      rmSync(folder, { recursive: true, force: true })
    })
    const server = await startPymodbus(layout(), 0, { serial: pair.theirs })
    onTestFinished(() => server.kill())
    const serial = createSerialProtocol({ clock: systemClock })
    expect(await scan(serial, { path: pair.ours, timeoutMs: 10_000, unitIds: [UNIT] })).toMatchObject(
      found('modbus-rtu'),
    )
  })
})
