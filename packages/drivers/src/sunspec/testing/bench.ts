import type { Duplex } from 'node:stream'
import { createManualClock, type ManualClock } from '@plantroom/testkit/manual-clock'
import { onTestFinished } from 'vitest'
import type { Driver } from '../../driver.ts'
import { connectionOf, never, type Points } from '../../modbus/testing/bench.ts'
import { createRegisterBank, type RegisterBank } from '../../modbus/testing/register-bank.ts'
import { type PeerRequest, type ScriptedPeer, startScriptedPeer } from '../../modbus/testing/scripted-peer.ts'
import { type CountingListener, createCountingListener } from '../../testing/counting-listener.ts'
import { createSunspec } from './sunspec-rig.ts'

/** A scripted device, and drivers for it on a clock that the test moves. */
export interface SunspecBench {
  clock: ManualClock
  peer: ScriptedPeer
  bank: RegisterBank
  /** Every request so far. */
  requests: { functionCode: number; address: number; count: number }[]
  events: CountingListener
  /** Answers requests from now on, instead of the registers. */
  answer(handler: (request: PeerRequest<Duplex>) => void): void
  open(points: Points, settings?: Record<string, unknown>): Promise<Driver>
}

/** Starts a device and stops it when the test ends. */
export async function startSunspecBench(): Promise<SunspecBench> {
  const clock = createManualClock()
  const bank = createRegisterBank()
  const peer = await startScriptedPeer()
  const events = createCountingListener()
  const requests: SunspecBench['requests'] = []
  const opened: Driver[] = []
  const answer = (handler: (request: PeerRequest<Duplex>) => void) =>
    peer.serve((request) => {
      const { functionCode, address, count } = request
      requests.push({ functionCode, address, count })
      handler(request)
    })
  answer(bank.answer)
  onTestFinished(async () => {
    for (const driver of opened) await driver.close()
    await peer.stop()
  })
  const protocol = createSunspec({ clock })
  return {
    ...{ clock, peer, bank, requests, events, answer },
    async open(points, settings = {}) {
      const about = { host: '127.0.0.1', port: peer.port, timeoutMs: 200, ...settings }
      const driver = protocol.connect({ ...connectionOf(points, about), protocol: 'sunspec' }, events)
      opened.push(driver)
      await driver.open(never)
      return driver
    },
  }
}
