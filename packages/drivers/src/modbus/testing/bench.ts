import type { Connection, Datapoint } from '@plantroom/contract/datapoint'
import { createManualClock, type ManualClock } from '@plantroom/testkit/manual-clock'
import { aConnection, aDatapoint } from '@plantroom/testkit/technical-system'
import type { Driver, Protocol } from '../../driver.ts'
import { createModbusProtocol } from '../driver.ts'
import { type ScriptedPeer, startScriptedPeer } from './scripted-peer.ts'

/** The `data` of each datapoint by its id, with `accessType` beside it where it is not READ_WRITE. */
export type Points = Record<string, Record<string, unknown>>

export const never = new AbortController().signal

/** The driver under a clock that stands still, and a scripted peer for it to speak to. */
export interface Bench {
  peer: ScriptedPeer
  clock: ManualClock
  protocol: Protocol
  connection(points: Points, settings?: Record<string, unknown>): Connection
  open(points: Points, settings?: Record<string, unknown>): Promise<Driver>
  /** From now on register n holds n. Returns the ranges that are asked for; one with a `refused` address gets exception 2. */
  serveCountingRegisters(refused?: readonly number[]): [address: number, count: number][]
  stop(): Promise<void>
}

export async function startBench(): Promise<Bench> {
  const clock = createManualClock()
  const protocol = createModbusProtocol({ clock })
  const opened: Driver[] = []

  const bench: Bench = {
    peer: await startScriptedPeer(),
    clock,
    protocol,

    connection: (points, settings = {}) =>
      connectionOf(points, { host: '127.0.0.1', port: bench.peer.port, ...settings }),

    async open(points, settings) {
      const driver = protocol.connect(bench.connection(points, settings))
      opened.push(driver)
      await driver.open(never)
      return driver
    },

    serveCountingRegisters(refused = []) {
      const asked: [number, number][] = []
      bench.peer.serve((question) => {
        const { functionCode, address, count } = question
        asked.push([address, count])
        const addresses = Array.from({ length: count }, (_, index) => address + index)
        if (addresses.some((each) => refused.includes(each))) question.answer([functionCode | 0x80, 2])
        else question.answerRegisters(...addresses)
      })
      return asked
    },

    async stop() {
      for (const driver of opened) await driver.close()
      await bench.peer.stop()
    },
  }
  return bench
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
