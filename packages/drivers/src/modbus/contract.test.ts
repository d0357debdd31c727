import { every, systemClock } from '@plantroom/base/clock'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import type { Raw } from '../driver.ts'
import { createCountingListener } from '../testing/counting-listener.ts'
import { describeDriver } from '../testing/driver-contract.ts'
import type { DriverRig } from '../testing/driver-rig.ts'
import { decoderOf, encodeRegisters } from './codec.ts'
import { REGISTERS_OF, type ValueType } from './config.ts'
import { createModbusProtocol } from './driver.ts'
import { connectionOf } from './testing/bench.ts'
import { createRegisterBank, type RegisterBank } from './testing/register-bank.ts'
import { type PeerRequest, startScriptedPeer } from './testing/scripted-peer.ts'

const POINTS = {
  power: { register: 8, type: 'float32' },
  limit: { register: 11, type: 'int16' },
  meter: { register: 12, type: 'int16', accessType: 'READ' },
  // Between the others, so that it is read together with them.
  missing: { register: 13, type: 'int16' },
  beyond: { register: 14, type: 'int16' },
  command: { register: 15, type: 'int16', accessType: 'WRITE' },
  counter: { register: 16, type: 'int64' },
} as const
type PointId = keyof typeof POINTS

const placeOf = (pointId: string) => POINTS[pointId as PointId]
const encodingOf = (type: ValueType) => ({ type, wordOrder: 'ABCD', bit: undefined }) as const
const NAN_WITH_PAYLOAD = [0x7fc0, 0x1234]

function wordsAt(bank: RegisterBank, pointId: string): readonly number[] {
  const { register, type } = placeOf(pointId)
  return Array.from({ length: REGISTERS_OF[type] }, (_, index) => bank.holding.get(register + index) ?? 0)
}

function setWords(bank: RegisterBank, pointId: string, words: readonly number[]): void {
  for (const [index, word] of words.entries()) bank.holding.set(placeOf(pointId).register + index, word)
}

function valueAt(bank: RegisterBank, pointId: string): Raw {
  const view = new DataView(new ArrayBuffer(8))
  for (const [index, word] of wordsAt(bank, pointId).entries()) view.setUint16(index * 2, word)
  return decoderOf(encodingOf(placeOf(pointId).type))(view, 0)
}

function setValue(bank: RegisterBank, pointId: string, raw: Raw): void {
  const bytes = Buffer.from(encodeRegisters(encodingOf(placeOf(pointId).type), raw))
  setWords(
    bank,
    pointId,
    Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readUInt16BE(index * 2)),
  )
}

async function startRig(): Promise<DriverRig> {
  const clock = createManualClock()
  const bank = createRegisterBank()
  for (const pointId of Object.keys(POINTS)) if (pointId !== 'missing') setValue(bank, pointId, 0)

  let peer = await startScriptedPeer()
  peer.serve(bank.answer)
  const { port } = peer
  const connection = connectionOf(POINTS, { host: '127.0.0.1', port, timeoutMs: 200 })
  const events = createCountingListener()
  const protocol = createModbusProtocol({ clock })

  let stopTime = () => {}
  const letTimePass = () => {
    stopTime()
    stopTime = every(systemClock, 1, () => clock.advanceNow(20))
  }

  /** Withholds the answer to the first request until `resume`, and records the points that are written. */
  async function stall() {
    const written: string[] = []
    let held: PeerRequest | undefined
    let isHolding = true
    peer.serve((request) => {
      const point = Object.entries(POINTS).find(([, { register }]) => register === request.address)
      if (request.functionCode > 4 && point) written.push(point[0])
      if (isHolding) held = request
      else bank.answer(request)
    })
    const resume = () => {
      isHolding = false
      if (held) bank.answer(held)
    }
    return { resume, written: () => written }
  }

  const rig = {
    driver: protocol.connect(connection, events),
    events,
    hasLink: true,
    points: ['power', 'beyond'] as const,
    readOnly: 'meter',
    missing: 'missing',
    writeOnly: 'command',
    wholeNumbers: 'counter',
    at: async (pointId: string) => valueAt(bank, pointId),
    set: async (pointId: string, raw: number) => setValue(bank, pointId, raw),
    async setExact(pointId: string) {
      setWords(bank, pointId, NAN_WITH_PAYLOAD)
      return async () => wordsAt(bank, pointId).join() === NAN_WITH_PAYLOAD.join()
    },
    stall,
    targets: {
      ...{ protocol, connection, tuning: { timeoutMs: 300, maxGap: 0 }, elsewhere: { unitId: 2 } },
      otherAddress: { register: 40 },
      spelled: ['localhost', '127.0.0.1', '127.1', '::1', '0:0:0:0:0:0:0:1', 'LocalHost.'].map((host) => ({ host })),
      otherWays: [{ settings: { host: '192.0.2.9' } }, { settings: { port: 1502 } }],
      otherMeanings: [{ type: 'uint32' }, { wordOrder: 'DCBA' }],
    },
    async silence() {
      peer.serve(() => {})
      letTimePass()
    },
    async drop() {
      await peer.stop()
      letTimePass()
    },
    async heal() {
      stopTime()
      // Longer than the longest pause between two probes of a silent unit.
      clock.advanceNow(60_000)
      if (peer.isStopped()) peer = await startScriptedPeer(port)
      peer.serve(bank.answer)
    },
    links: () => peer.openCount(),
    async close() {
      stopTime()
      await peer.stop()
    },
  }
  return rig
}

describeDriver('Modbus TCP', startRig)
