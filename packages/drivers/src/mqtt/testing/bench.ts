import type { Connection, Datapoint } from '@plantroom/contract/datapoint'
import { createManualClock, type ManualClock } from '@plantroom/testkit/manual-clock'
import { aConnection, aDatapoint } from '@plantroom/testkit/technical-system'
import type { Driver, Protocol } from '../../driver.ts'
import { createMqttProtocol } from '../driver.ts'
import type { Broker, BrokerKind, BrokerOptions } from './brokers.ts'
import { type Equipment, startEquipment } from './equipment.ts'
import { type Gateway, startGateway } from './gateway.ts'

/** The `data` of each datapoint by id, plus `accessType` if it is not READ_WRITE. */
export type Points = Record<string, Record<string, unknown>>

export const never = new AbortController().signal

/** The driver on a clock that the test moves, its equipment, and the broker between them. */
export interface Bench {
  broker: Broker
  gateway: Gateway
  equipment: Equipment
  clock: ManualClock
  protocol: Protocol
  connection(points: Points, settings?: Record<string, unknown>): Connection
  open(points: Points, settings?: Record<string, unknown>): Promise<Driver>
  stop(): Promise<void>
}

export async function startBench(
  kind: BrokerKind,
  options: BrokerOptions = {},
  shape?: 'json' | 'plain',
): Promise<Bench> {
  const broker = await kind.start(options)
  const gateway = await startGateway(broker)
  const equipment = await startEquipment(broker, shape, {
    ...options.credential,
    ...(options.certificate && { protocol: 'mqtts', rejectUnauthorized: false }),
  })
  const clock = createManualClock()
  const protocol = createMqttProtocol({ clock })
  const opened: Driver[] = []

  const bench: Bench = {
    broker,
    gateway,
    equipment,
    clock,
    protocol,

    connection: (points, settings = {}) =>
      connectionOf(points, { url: `mqtt://127.0.0.1:${gateway.port}`, ...settings }),

    async open(points, settings) {
      const driver = protocol.connect(bench.connection(points, settings))
      opened.push(driver)
      await driver.open(never)
      return driver
    },

    async stop() {
      for (const driver of opened) await driver.close()
      await equipment.stop()
      await gateway.stop()
      await broker.stop()
    },
  }
  return bench
}

export function connectionOf(points: Points, settings: Record<string, unknown>): Connection {
  return aConnection({
    name: 'Heat pump',
    protocol: 'mqtt',
    settings,
    datapoints: Object.entries(points).map(([id, { accessType = 'READ_WRITE', ...data }]) =>
      aDatapoint({ id, accessType: accessType as Datapoint['accessType'], data }),
    ),
  })
}
