import type { Duplex } from 'node:stream'
import { every, systemClock } from '@plantroom/base/clock'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import type { ProtocolDeps, Raw } from '../../driver.ts'
import { createSerialLines, createTcpLines } from '../../modbus/driver.ts'
import { connectionOf } from '../../modbus/testing/bench.ts'
import { createRegisterBank } from '../../modbus/testing/register-bank.ts'
import { type PeerRequest, startScriptedPeer } from '../../modbus/testing/scripted-peer.ts'
import { createCountingListener } from '../../testing/counting-listener.ts'
import type { DriverRig } from '../../testing/driver-rig.ts'
import { createSunspecProtocol } from '../driver.ts'
import { pointAt, putModels, setPoint } from './device-registers.ts'

const POINTS = {
  reserve: { model: 124, point: 'MinRsvPct' },
  charge: { model: 124, point: 'WChaMax' },
  meter: { model: 103, point: 'W', accessType: 'READ' },
  missing: { model: 802, point: 'SoC', accessType: 'READ' },
  ramp: { model: 121, point: 'VRef', accessType: 'WRITE' },
} as const
type PointId = keyof typeof POINTS

/** Values at the device are in registers of this scale. */
const SCALE = -1

const MODELS = [
  { model: 1, values: {} },
  { model: 103, values: { W: 0, W_SF: SCALE } },
  { model: 121, values: { VRef: 0, VRef_SF: SCALE } },
  { model: 124, values: { MinRsvPct: 0, MinRsvPct_SF: SCALE, WChaMax: 0, WChaMax_SF: SCALE } },
]

export const createSunspec = (deps: ProtocolDeps) =>
  createSunspecProtocol({ tcp: createTcpLines(deps), serial: createSerialLines(deps) })

/** Starts a device behind a socket and a driver for it. */
export async function startSunspecRig(): Promise<DriverRig> {
  const clock = createManualClock()
  const bank = createRegisterBank()
  const places = putModels(bank, MODELS)
  let peer = await startScriptedPeer()
  const { port } = peer
  peer.serve(bank.answer)

  const connection = {
    ...connectionOf(POINTS, { host: '127.0.0.1', port, timeoutMs: 200 }),
    protocol: 'sunspec' as const,
  }
  const events = createCountingListener()
  const protocol = createSunspec({ clock })
  let stopTime = () => {}
  const letTimePass = (ms: number) => {
    stopTime()
    stopTime = every(systemClock, 1, () => clock.advanceNow(ms))
  }

  const placeOf = (pointId: string) => {
    const { model, point } = POINTS[pointId as PointId]
    const place = places.find((each) => each.model === model)
    if (!place) throw new Error(`the device has no model ${model}`)
    return { place, point }
  }

  /** Withholds the answer to the first request until `resume`, and records the points that are written. */
  async function stall() {
    const written: string[] = []
    let held: PeerRequest<Duplex> | undefined
    let isHolding = true
    peer.serve((request) => {
      if (request.functionCode === 16) written.push(pointNameAt(request.address))
      if (isHolding) held = request
      else bank.answer(request)
    })
    const resume = () => {
      isHolding = false
      if (held) bank.answer(held)
    }
    return { resume, written: () => written }
  }

  function pointNameAt(register: number): string {
    const { register: start } = placeOf('reserve').place
    return register === start + 2 ? 'charge' : 'reserve'
  }

  return {
    driver: protocol.connect(connection, events),
    events,
    hasLink: true,
    points: ['reserve', 'charge'] as const,
    readOnly: 'meter',
    missing: 'missing',
    writeOnly: 'ramp',
    async at(pointId: string): Promise<Raw> {
      const { place, point } = placeOf(pointId)
      return pointAt(bank, place, point) / 10
    },
    async set(pointId: string, raw: number) {
      const { place, point } = placeOf(pointId)
      setPoint(bank, place, point, Math.round(raw * 10))
    },
    stall,
    targets: {
      ...{ protocol, connection, tuning: { timeoutMs: 300, maxGap: 0 }, elsewhere: { unitId: 2 } },
      otherAddress: { instance: 2 },
      spelled: ['localhost', '127.0.0.1', '127.1', '::1', '0:0:0:0:0:0:0:1', 'LocalHost.'].map((host) => ({ host })),
      otherWays: [{ settings: { host: '192.0.2.9' } }, { settings: { port: 1502 } }],
      otherMeanings: [{ model: 124, point: 'VAChaMax' }],
    },
    async silence() {
      peer.serve(() => {})
      letTimePass(20)
    },
    async drop() {
      await peer.stop()
      letTimePass(20)
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
}
