import type { Connection, Datapoint } from '@plantroom/contract/datapoint'
import { createManualClock, type ManualClock } from '@plantroom/testkit/manual-clock'
import { aConnection, aDatapoint } from '@plantroom/testkit/technical-system'
import { afterEach, beforeEach } from 'vitest'
import type { Driver, Protocol } from '../../driver.ts'
import { createModbusProtocol } from '../driver.ts'
import { type ScriptedPeer, startScriptedPeer } from './scripted-peer.ts'

/** The `data` of each datapoint by id, plus `accessType` if it is not READ_WRITE. */
export type Points = Record<string, Record<string, unknown>>

export const never = new AbortController().signal

/** The driver on a clock that the test moves, and a scripted peer that it talks to. */
export interface Bench {
  peer: ScriptedPeer
  clock: ManualClock
  protocol: Protocol
  connection(points: Points, settings?: Record<string, unknown>): Connection
  open(points: Points, settings?: Record<string, unknown>): Promise<Driver>
  /**
   * From now on, register n holds n. Returns the requested ranges as they arrive; one that contains a `refused` address
   * is answered with exception 2.
   */
  serveCountingRegisters(refused?: readonly number[]): [address: number, count: number][]
}

/** Returns a bench that is started before each test of the file and stopped after it. */
export function useBench(): Bench {
  const opened: Driver[] = []
  // Assigned before each test.
  const fresh: { peer?: ScriptedPeer; clock?: ManualClock; protocol?: Protocol } = {}
  const started = <Part>(part: Part | undefined): Part => {
    if (part === undefined) throw new Error('the bench starts with the first test')
    return part
  }

  beforeEach(async () => {
    fresh.clock = createManualClock()
    fresh.protocol = createModbusProtocol({ clock: fresh.clock })
    fresh.peer = await startScriptedPeer()
  })
  afterEach(async () => {
    for (const driver of opened.splice(0)) await driver.close()
    await fresh.peer?.stop()
  })

  return {
    get peer() {
      return started(fresh.peer)
    },
    set peer(peer) {
      fresh.peer = peer
    },
    get clock() {
      return started(fresh.clock)
    },
    get protocol() {
      return started(fresh.protocol)
    },

    connection(points, settings = {}) {
      return connectionOf(points, { host: '127.0.0.1', port: this.peer.port, ...settings })
    },

    async open(points, settings) {
      const driver = this.protocol.connect(this.connection(points, settings))
      opened.push(driver)
      await driver.open(never)
      return driver
    },

    serveCountingRegisters(refused = []) {
      const asked: [number, number][] = []
      this.peer.serve((request) => {
        const { functionCode, address, count } = request
        asked.push([address, count])
        const addresses = Array.from({ length: count }, (_, index) => address + index)
        if (addresses.some((each) => refused.includes(each))) request.answer([functionCode | 0x80, 2])
        else request.answerRegisters(...addresses)
      })
      return asked
    },
  }
}

export function connectionOf(points: Points, settings: Record<string, unknown>): Connection {
  return aConnection({
    name: 'Inverter',
    protocol: 'modbus-tcp',
    settings,
    datapoints: Object.entries(points).map(([id, { accessType = 'READ_WRITE', ...data }]) =>
      aDatapoint({ id, accessType: accessType as Datapoint['accessType'], data }),
    ),
  })
}
