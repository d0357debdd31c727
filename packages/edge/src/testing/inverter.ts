import { createLog } from '@plantroom/base/log'
import type { Raw } from '@plantroom/drivers/driver'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { aConnection, aDatapoint } from '@plantroom/testkit/technical-system'
import { onTestFinished } from 'vitest'
import { startConnection } from '../connections/connection.ts'
import { createMemoryDriver } from './memory-driver.ts'

const DATAPOINTS = [
  aDatapoint({ id: 'meter', accessType: 'READ' }),
  aDatapoint({
    id: 'setpoint',
    accessType: 'READ_WRITE',
    scaler: { inputValue1: 0, outputValue1: 0, inputValue2: 1, outputValue2: 10 },
  }),
  aDatapoint({ id: 'command', accessType: 'WRITE' }),
]

/** Starts a connection to equipment in memory: a meter, a setpoint in tenths, and a command that cannot be read. */
export function startInverter() {
  const clock = createManualClock(Date.UTC(2030, 0, 1))
  const driver = createMemoryDriver({ meter: 5, setpoint: 200, command: 0 })
  driver.integers.add('setpoint')
  const heard: (string | [string, Raw])[] = []
  const connection = startConnection({
    config: aConnection({ name: 'Inverter', datapoints: DATAPOINTS }),
    connect: () => driver,
    clock,
    log: createLog('edge', 'silent'),
    listener: {
      connected: (id) => heard.push(id),
      reading: (id, reading) => 'raw' in reading && heard.push([id, reading.raw]),
    },
  })
  onTestFinished(() => connection.close())
  return { clock, driver, connection, heard }
}

/** Starts the inverter and waits until it is connected. */
export async function connectedInverter() {
  const device = startInverter()
  await device.clock.advance(0)
  return device
}

/** Returns the timestamp this many seconds after the start. */
export const seconds = (count: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, count)).toISOString()

/** A promise that the test resolves. */
export function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, open: resolve }
}
