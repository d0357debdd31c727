import type { Duplex } from 'node:stream'
import { every, systemClock } from '@plantroom/base/clock'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import type { Protocol, ProtocolDeps, Raw } from '../../driver.ts'
import { createCountingListener } from '../../testing/counting-listener.ts'
import type { DriverRig } from '../../testing/driver-rig.ts'
import type { TargetsRig } from '../../testing/targets-contract.ts'
import { decoderOf, encodeRegisters } from '../codec.ts'
import { REGISTERS_OF, type ValueType } from '../config.ts'
import { connectionOf } from './bench.ts'
import { createRegisterBank, type RegisterBank } from './register-bank.ts'
import type { PeerRequest } from './scripted-peer.ts'

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

/** The way to a scripted unit, which the test can take away and bring back. */
export interface UnitLine extends Pick<TargetsRig, 'spelled' | 'otherWays'> {
  createProtocol(deps: ProtocolDeps): Protocol
  settings: Record<string, unknown>
  /** True if the driver waits for the line to be quiet, so that time must always pass. */
  needsTime: boolean
  /** Passes every request to `handler` from now on, also after `heal`. */
  serve(handler: (request: PeerRequest<Duplex>) => void): void
  drop(): Promise<void>
  heal(): Promise<void>
  links?(): number
  close(): Promise<void>
}

/** Starts a unit that serves registers, and a driver for it. */
export async function startUnitRig(line: UnitLine): Promise<DriverRig> {
  const clock = createManualClock()
  const bank = createRegisterBank()
  for (const pointId of Object.keys(POINTS)) if (pointId !== 'missing') setValue(bank, pointId, 0)

  line.serve(bank.answer)
  const connection = connectionOf(POINTS, { timeoutMs: 200, ...line.settings })
  const events = createCountingListener()
  const protocol = line.createProtocol({ clock })

  let stopTime = () => {}
  const letTimePass = (ms: number) => {
    stopTime()
    stopTime = every(systemClock, 1, () => clock.advanceNow(ms))
  }
  const letTimeRest = () => (line.needsTime ? letTimePass(0.5) : stopTime())
  letTimeRest()

  /** Withholds the answer to the first request until `resume`, and records the points that are written. */
  async function stall() {
    const written: string[] = []
    let held: PeerRequest<Duplex> | undefined
    let isHolding = true
    line.serve((request) => {
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

  return {
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
      ...(line.spelled && { spelled: line.spelled }),
      ...(line.otherWays && { otherWays: line.otherWays }),
      otherMeanings: [{ type: 'uint32' }, { wordOrder: 'DCBA' }],
    },
    async silence() {
      line.serve(() => {})
      letTimePass(20)
    },
    async drop() {
      await line.drop()
      letTimePass(20)
    },
    async heal() {
      letTimeRest()
      // Longer than the longest pause between two probes of a silent unit.
      clock.advanceNow(60_000)
      await line.heal()
      line.serve(bank.answer)
    },
    ...(line.links && { links: line.links }),
    async close() {
      stopTime()
      await line.close()
    },
  }
}
