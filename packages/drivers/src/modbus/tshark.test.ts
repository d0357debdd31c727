import type { Duplex } from 'node:stream'
import { systemClock } from '@plantroom/base/clock'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Protocol } from '../driver.ts'
import { scan } from '../testing/scan.ts'
import { dissect, MODBUS_RTU, MODBUS_TCP, type Sent, withoutTshark } from '../testing/tshark.ts'
import { createModbusProtocol, createRtuOverTcpProtocol } from './driver.ts'
import { connectionOf, never } from './testing/bench.ts'
import { MBAP, type PeerFraming, RTU } from './testing/peer-framing.ts'
import { createRegisterBank } from './testing/register-bank.ts'
import { type PeerRequest, startScriptedPeer } from './testing/scripted-peer.ts'

const POINTS = {
  word: { register: 0, type: 'int16' },
  wordBy16: { register: 1, type: 'uint16', writeFunction: 16 },
  wide: { register: 2, type: 'float64' },
  flag: { register: 6, type: 'uint16', bit: 3, accessType: 'READ' },
  input: { table: 'input', register: 0, type: 'uint32', accessType: 'READ' },
  coil: { table: 'coil', register: 0 },
  coilBy15: { table: 'coil', register: 1, writeFunction: 15 },
  discrete: { table: 'discrete', register: 9, accessType: 'READ' },
  missing: { register: 900, type: 'uint16', accessType: 'READ' },
}
const IDENTITY = [43, 14, 1, 1, 0, 0, 1, 0, 4, ...Buffer.from('ACME')]
const BUSY = 6

/** Everything that the driver asks of equipment, and every kind of answer. */
async function exchangeEverything(protocol: Protocol, framing: PeerFraming): Promise<readonly Sent[]> {
  const sent: Sent[] = []
  const bank = createRegisterBank()
  for (let register = 0; register < 10; register += 1) {
    bank.holding.set(register, 0).set(register + 1000, 0)
    for (const table of [bank.input, bank.coil, bank.discrete]) table.set(register, 0)
  }
  let isBusy = false
  const answer = (request: PeerRequest<Duplex>) => {
    if (isBusy) request.answer([request.functionCode | 0x80, BUSY])
    else if (request.functionCode === 43) request.answer(IDENTITY)
    else bank.answer(request)
  }
  const peer = await startScriptedPeer(0, framing)
  onTestFinished(() => peer.stop())
  peer.welcome((socket) => {
    socket.on('data', (bytes: Buffer) => void sent.push({ bytes, isOurs: true }))
    const write = socket.write.bind(socket)
    socket.write = ((bytes: Buffer) => {
      sent.push({ bytes, isOurs: false })
      return write(bytes)
    }) as typeof socket.write
  })
  peer.serve(answer)
  const settings = { host: '127.0.0.1', port: peer.port }
  const driver = protocol.connect(connectionOf(POINTS, settings))
  onTestFinished(() => driver.close())
  await driver.open(never)
  const ids = Object.keys(POINTS)
  const read = await driver.read(ids)
  expect(read.map((reading) => 'error' in reading)).toEqual(ids.map((id) => id === 'missing'))
  for (const [id, value] of Object.entries({ word: -2, wordBy16: 7, wide: 1e300, coil: 1, coilBy15: 1 })) {
    await driver.write(id, value)
  }
  isBusy = true
  await driver.read(['word'], { urgent: true })
  isBusy = false
  await driver.close()
  await scan(protocol, { ...settings, unitIds: '1' })
  return sent
}

const WAYS = [
  ['Modbus TCP', () => createModbusProtocol({ clock: systemClock }), MBAP, MODBUS_TCP, 'mbtcp:modbus'],
  ['RTU over TCP', () => createRtuOverTcpProtocol({ clock: systemClock }), RTU, MODBUS_RTU, 'mbrtu:modbus'],
] as const

describe.skipIf(withoutTshark)('a third-party reader of frames: tshark', () => {
  test.each(WAYS)('reads every frame of %s', async (_name, protocol, framing, way, protocols) => {
    const sent = await exchangeEverything(protocol(), framing)
    const dissected = await dissect(sent, way)
    expect(dissected).toHaveLength(sent.length)
    expect(dissected.filter((each) => each.isWrong)).toEqual([])
    expect(dissected.filter((each) => !each.protocols.endsWith(protocols))).toEqual([])
    const infos = dissected.map(({ info }) => info).join('\n')
    const functions = [...infos.matchAll(/Func: +(\d+)/g)].map(([, code]) => Number(code))
    expect(new Set(functions)).toEqual(new Set([1, 2, 3, 4, 5, 6, 15, 16, 43]))
    expect(infos).not.toContain('Unable to classify')
    expect(infos).toContain('Exception returned')
  })

  test.each(WAYS)('finds what is wrong in %s: the referee is awake', async (_name, protocol, framing, way) => {
    const [first] = await exchangeEverything(protocol(), framing)
    const bytes = Uint8Array.from(first?.bytes ?? [])
    // The length of the frame, or its checksum.
    const at = way === MODBUS_TCP ? 5 : bytes.length - 1
    bytes[at] = (bytes[at] ?? 0) ^ 4
    const [dissected] = await dissect([{ bytes, isOurs: true }], way)
    expect(dissected?.isWrong === false && dissected.protocols.endsWith('modbus')).toBe(false)
  })
})
