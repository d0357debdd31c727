import { systemClock } from '@plantroom/base/clock'
import type { Datapoint } from '@plantroom/contract/datapoint'
import type { Reading } from '@plantroom/drivers/driver'
import { createModbusProtocol } from '@plantroom/drivers/modbus/driver'

/**
 * The counterpart of `raw-reads.ts` in the same kind of process: the driver without the device, polling on one socket.
 * Arguments: the server's port, the number of datapoints. Each message is a number of polls; the reply is the time they
 * took.
 */
const [port, count] = process.argv.slice(2).map(Number)
const connectionId = crypto.randomUUID()
const datapoints = Array.from(
  { length: count ?? 0 },
  (_, register): Datapoint => ({
    id: crypto.randomUUID(),
    connectionId,
    name: `Point ${register}`,
    accessType: 'READ',
    analyticsInterval: 0,
    broadcastInterval: 0,
    writeInterval: 0,
    cloudScheduleId: null,
    scaler: { inputValue1: 0, outputValue1: 0, inputValue2: 1, outputValue2: 1 },
    alarmData: null,
    data: { register, type: 'uint16' },
    createdAt: '2030-01-01T00:00:00.000Z',
    updatedAt: '2030-01-01T00:00:00.000Z',
  }),
)
const driver = createModbusProtocol({ clock: systemClock }).connect({
  id: connectionId,
  name: 'Bench equipment',
  protocol: 'modbus-tcp',
  settings: { host: '127.0.0.1', port },
  datapoints,
})
await driver.open(new AbortController().signal)
const ids = datapoints.map(({ id }) => id)

process.on('message', async ({ polls }: { polls: number }) => {
  const from = performance.now()
  let readings: readonly Reading[] = []
  for (let poll = 0; poll < polls; poll += 1) readings = await driver.read(ids)
  const ms = performance.now() - from
  const isRight = readings.every((reading, register) => 'raw' in reading && reading.raw === register)
  if (!isRight || readings.length !== ids.length) throw new Error('the registers contain something else')
  process.send?.({ ms })
})
process.once('disconnect', () => process.exit(0))
process.once('SIGINT', () => process.exit(0))
process.send?.({ ready: {} })
