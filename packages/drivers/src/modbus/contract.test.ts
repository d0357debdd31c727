import { every, systemClock } from '@plantroom/base/clock'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { createCountingListener } from '../testing/counting-listener.ts'
import { type DriverRig, describeDriver } from '../testing/driver-contract.ts'
import { createModbusProtocol } from './driver.ts'
import { connectionOf } from './testing/bench.ts'
import { createRegisterBank } from './testing/register-bank.ts'
import { startScriptedPeer } from './testing/scripted-peer.ts'

const POINTS = {
  power: { register: 10, type: 'int16' },
  limit: { register: 11, type: 'int16' },
  meter: { register: 12, type: 'int16', accessType: 'READ' },
  // Between the others, so that it is asked for together with them.
  missing: { register: 13, type: 'int16' },
  beyond: { register: 14, type: 'int16' },
}
type PointId = keyof typeof POINTS

async function startRig(): Promise<DriverRig> {
  const clock = createManualClock()
  const bank = createRegisterBank()
  for (const { register } of Object.values(POINTS)) bank.holding.set(register, 0)
  bank.holding.delete(POINTS.missing.register)

  let peer = await startScriptedPeer()
  peer.serve(bank.answer)
  const { port } = peer
  const settings = { host: '127.0.0.1', port, timeoutMs: 200 }
  const told = createCountingListener()
  const driver = createModbusProtocol({ clock }).connect(connectionOf(POINTS, settings), told)

  let stopTime = () => {}
  const letTimePass = () => {
    stopTime()
    stopTime = every(systemClock, 1, () => clock.advanceNow(20))
  }

  const registerOf = (pointId: string) => POINTS[pointId as PointId].register
  return {
    driver,
    told,
    hasLink: true,
    points: ['power', 'beyond'],
    readOnly: 'meter',
    missing: 'missing',
    at: async (pointId) => bank.holding.get(registerOf(pointId)) ?? Number.NaN,
    set: async (pointId, raw) => void bank.holding.set(registerOf(pointId), raw),
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
      // Past the longest time for which a silent unit is left alone.
      clock.advanceNow(60_000)
      if (peer.isStopped()) peer = await startScriptedPeer(port)
      peer.serve(bank.answer)
    },
    links: () => peer.standing(),
    async close() {
      stopTime()
      await peer.stop()
    },
  }
}

describeDriver('Modbus TCP', startRig)
