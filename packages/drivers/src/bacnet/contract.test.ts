import { every, systemClock } from '@plantroom/base/clock'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { aConnection, aDatapoint } from '@plantroom/testkit/technical-system'
import { shortestDecimal } from '../modbus/codec.ts'
import { createCountingListener } from '../testing/counting-listener.ts'
import { describeDriver } from '../testing/driver-contract.ts'
import type { DriverRig } from '../testing/driver-rig.ts'
import { createBacnetProtocol } from './driver.ts'
import { type SimulatedDevice, startDevice, valueAt } from './testing/device-simulator.ts'
import { simulatedObject } from './testing/objects.ts'

const OBJECTS = {
  setpoint: 'analog-value,1',
  limit: 'analog-output,1',
  command: 'analog-value,2',
  meter: 'analog-input,1',
  absent: 'analog-value,99',
} as const
type PointId = keyof typeof OBJECTS
const ACCESS = { setpoint: 'READ_WRITE', limit: 'READ_WRITE', command: 'WRITE', meter: 'READ', absent: 'READ' } as const
/** What the building itself wants: its slot is below ours. */
const BUILDING = 16

const newObjects = () =>
  new Map(
    [OBJECTS.setpoint, OBJECTS.limit, OBJECTS.command, OBJECTS.meter].map((text) => [
      text as string,
      simulatedObject(text),
    ]),
  )

async function startRig(settings: Record<string, unknown>, about: Partial<SimulatedDevice>): Promise<DriverRig> {
  const objects = newObjects()
  const first = await startDevice(objects, about)
  const running = { device: first, isUp: true }
  const connection = aConnection({
    protocol: 'bacnet-ip',
    settings: { host: '127.0.0.1', port: first.port, timeoutMs: 500, deviceInstance: 1234, ...settings },
    datapoints: Object.entries(OBJECTS).map(([id, object]) =>
      aDatapoint({ id, accessType: ACCESS[id as PointId], data: { object } }),
    ),
  })
  const clock = createManualClock()
  const events = createCountingListener()
  const protocol = createBacnetProtocol({ clock })
  let stopTime = () => {}
  const letTimePass = () => {
    stopTime()
    stopTime = every(systemClock, 1, () => clock.advanceNow(200))
  }
  const objectOf = (id: string) => objects.get(OBJECTS[id as PointId]) ?? simulatedObject('analog-value,0')

  return {
    driver: protocol.connect(connection, events),
    events,
    hasLink: false,
    points: ['setpoint', 'limit'],
    readOnly: 'meter',
    missing: 'absent',
    writeOnly: 'command',
    fallback: 11,
    at: async (id) => shortestDecimal(valueAt(running.device, OBJECTS[id as PointId])),
    async set(id, raw) {
      const object = objectOf(id)
      if (object.slots) object.slots[BUILDING - 1] = raw
      else object.fallback = raw
      running.device.announce(object)
    },
    async stall() {
      running.device.written.length = 0
      const resume = running.device.stall()
      const idOf = (object: unknown) => Object.keys(OBJECTS).find((id) => objectOf(id) === object) ?? ''
      return { resume, written: () => running.device.written.map(idOf) }
    },
    targets: {
      protocol,
      connection,
      tuning: { timeoutMs: 900, pollSeconds: 9, retries: 3, maxApdu: 480, mode: 'poll', localPort: 5 },
      elsewhere: { host: '127.0.0.9', port: 1 },
      otherAddress: { object: 'analog-value,77' },
      spelled: ['localhost', '127.0.0.1', '0x7f.1'].map((host) => ({ host, port: 47808 })),
      otherWays: [{ settings: { deviceInstance: 5 } }, { settings: { network: 6, mac: 7 } }],
      otherMeanings: [{ object: 'binary-value,1' }, { units: 'kilowatts' }],
    },
    async silence() {
      running.device.isSilent = true
      letTimePass()
    },
    async drop() {
      if (running.isUp) await running.device.stop()
      running.isUp = false
      letTimePass()
    },
    async heal() {
      stopTime()
      running.device.isSilent = false
      if (!running.isUp) running.device = await startDevice(objects, { ...about, port: first.port })
      running.isUp = true
    },
    async close() {
      stopTime()
      if (running.isUp) await running.device.stop()
    },
  }
}

describeDriver('BACnet/IP with changes announced', () => startRig({ mode: 'cov' }, {}))
describeDriver('BACnet/IP with polls', () => startRig({ mode: 'poll' }, {}))
describeDriver('BACnet/IP, one property at a time', () =>
  startRig({ mode: 'cov' }, { readsMultiple: false, offersCov: false }),
)
describeDriver('BACnet/IP behind a router', () =>
  startRig({ network: 5, mac: 7 }, { behind: { network: 5, mac: Uint8Array.of(7) }, maxApdu: 480 }),
)
