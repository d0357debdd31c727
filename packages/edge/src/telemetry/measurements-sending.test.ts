import { cpSync } from 'node:fs'
import { createLog } from '@plantroom/base/log'
import { MAX_MESSAGE_BYTES } from '@plantroom/contract/commands'
import type { Measurement, MeasurementBatch, MeasurementGap } from '@plantroom/contract/telemetry'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { cases } from '@plantroom/testkit/repetitions'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMeasurementStore, type MeasurementStore } from '../store/measurement-store.ts'
import { createTelemetryFile } from '../store/telemetry-file.ts'
import { polledPoint, pollPoints } from '../testing/polled-points.ts'
import { createMeasurementSender, startArchive } from './measurements.ts'

const NOW = Date.UTC(2030, 0, 1)
const log = createLog('edge', 'silent')
const key = ({ datapointId, at }: Measurement) => `${datapointId}@${at - NOW}`

/** A cloud that stores each measurement once and each gap once per batch, in the order of arrival. */
function createCloud() {
  const stored = new Map<string, number>()
  const gaps = new Map<number, readonly MeasurementGap[]>()
  return {
    take(payload: string): number {
      const batch = JSON.parse(payload) as MeasurementBatch
      for (const measurement of batch.measurements) {
        if (!stored.has(key(measurement))) stored.set(key(measurement), measurement.value)
      }
      gaps.set(batch.upTo, batch.gaps)
      return batch.upTo
    },
    stored: () => [...stored],
    dropped: () => [...gaps.values()].flat().reduce((sum, gap) => sum + gap.dropped, 0),
  }
}

/** A device that measures one datapoint every second and one every three, and can lose power or the cloud. */
function createDevice({ maxRows = 500_000 } = {}) {
  const clock = createManualClock(NOW)
  const line: string[] = []
  const taken: [string, number][] = []
  const uplink = { connected: false, publish: (_topic: string, payload: string) => void line.push(payload) }
  let folder = temporaryFolder()
  const points = ['dp_1', 'dp_2'].map((id, index) => polledPoint({ id, analyticsInterval: 1 + 2 * index }))
  let reading = 0

  function start() {
    const file = createTelemetryFile({ folder, clock, log })
    const store = createMeasurementStore({ file, clock, log, maxRows })
    const sender = createMeasurementSender({ store, uplink, deviceId: 'dev_1', clock, log })
    const add: MeasurementStore['add'] = (measurements) => {
      for (const point of points) point.value = ++reading
      taken.push(...measurements.map((each): [string, number] => [key(each), each.value]))
      store.add(measurements)
    }
    const archive = startArchive({
      live: pollPoints(points, clock),
      store: { add },
      clock,
      archived: sender.archived,
    })
    const stop = () => {
      archive.close()
      sender.close()
      store.close()
    }
    return { store, sender, archive, stop }
  }
  let running = start()
  onTestFinished(() => running.stop())

  return {
    clock,
    line,
    taken,
    sender: () => running.sender,
    connect() {
      uplink.connected = true
      running.sender.connected()
    },
    disconnect() {
      uplink.connected = false
      line.length = 0
    },
    restart() {
      running.stop()
      uplink.connected = false
      running = start()
    },
    /** Kills the device. The next start finds what is on the disk now. */
    crash() {
      const asLeftBehind = temporaryFolder()
      cpSync(folder, asLeftBehind, { recursive: true })
      running.stop()
      uplink.connected = false
      folder = asLeftBehind
      running = start()
    },
    stopMeasuring: () => running.archive.close(),
  }
}

type Device = ReturnType<typeof createDevice>
type Cloud = ReturnType<typeof createCloud>

/** Ends all faults and stops measuring. */
function comeToRest(device: Device, cloud: Cloud) {
  device.stopMeasuring()
  device.connect()
  // Enough rounds for everything: each confirms a batch.
  for (let round = 0; round < 100 && device.line.length > 0; round += 1) {
    for (const payload of device.line.splice(0)) device.sender().confirmed(cloud.take(payload))
  }
  expect(device.line).toEqual([])
}

describe('measurements', () => {
  test('are sent within half of their interval, with the time at which they were taken', async () => {
    const device = createDevice()
    device.connect()
    await device.clock.advance(1_000)
    expect(device.line).toEqual([])
    await device.clock.advance(500)
    const seen = { value: 1, seconds: 1, mean: 1, min: 1, max: 1, coverage: 100 }
    const interval = { datapointId: 'dp_1', at: NOW + 1000, ...seen }
    expect(device.line.map((payload) => JSON.parse(payload))).toEqual([
      { upTo: expect.any(Number), measurements: [interval], gaps: [] },
    ])
  })

  test('of a long outage are sent in batches of a thousand, in order', async () => {
    const device = createDevice()
    const cloud = createCloud()
    await device.clock.advance(2_000_000)
    device.connect()
    const sizes: number[] = []
    while (device.line.length > 0) {
      const [payload = '', ...more] = device.line.splice(0)
      expect(more).toEqual([])
      expect(Buffer.byteLength(payload)).toBeLessThan(MAX_MESSAGE_BYTES / 8)
      sizes.push(JSON.parse(payload).measurements.length)
      device.sender().confirmed(cloud.take(payload))
    }
    expect(sizes).toEqual([1000, 1000, 666])
    expect(cloud.stored()).toEqual(device.taken)
  })

  test('that were dropped are reported with the next batch', async () => {
    const device = createDevice({ maxRows: 40 })
    await device.clock.advance(60_000)
    device.connect()
    const [batch] = device.line.map((payload) => JSON.parse(payload) as MeasurementBatch)
    expect(batch?.measurements).toHaveLength(40)
    expect(batch?.gaps).toEqual([{ from: NOW + 1000, to: NOW + 30_000, dropped: 40 }])
  })
})

type Event =
  | { kind: 'time'; ms: number }
  | { kind: 'connect' | 'disconnect' | 'restart' | 'crash' | 'lose' }
  | { kind: 'arrive' | 'confirm'; copies: number }
  | { kind: 'stepClock'; ms: number }

const always = [
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('time' as const), ms: fc.integer({ min: 1, max: 25_000 }) }) },
  { weight: 4, arbitrary: fc.constant({ kind: 'connect' } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'disconnect' } as const) },
  { weight: 2, arbitrary: fc.constant({ kind: 'lose' } as const) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('arrive' as const), copies: fc.integer({ min: 1, max: 2 }) }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('confirm' as const), copies: fc.integer({ min: 0, max: 2 }) }),
  },
]
const restarts = [
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'crash' } as const) },
]
const steps = [
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('stepClock' as const), ms: fc.integer({ min: -40_000, max: 40_000 }) }),
  },
]

/** Messages and confirmations wait until an event delivers them once, twice or never. */
function play(device: Device, cloud: Cloud, events: readonly Event[]) {
  const confirmations: number[] = []
  const happen: { [Kind in Event['kind']]: (event: Extract<Event, { kind: Kind }>) => void } = {
    time: ({ ms }) => device.clock.advanceNow(ms),
    stepClock: ({ ms }) => device.clock.step(ms),
    connect: device.connect,
    disconnect: device.disconnect,
    restart: device.restart,
    crash: device.crash,
    lose: () => void device.line.shift(),
    arrive({ copies }) {
      const payload = device.line.shift()
      for (let copy = 0; payload && copy < copies; copy += 1) confirmations.push(cloud.take(payload))
    },
    confirm({ copies }) {
      const upTo = confirmations.shift()
      for (let copy = 0; upTo && copy < copies; copy += 1) device.sender().confirmed(upTo)
    },
  }
  for (const event of events) (happen[event.kind] as (event: Event) => void)(event)
}

describe('under loss, repetition, delay and interruption', () => {
  test('every measurement is stored once, in the order taken, through restarts and crashes', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(...always, ...restarts), { maxLength: 60 }), (events) => {
        const device = createDevice()
        const cloud = createCloud()
        play(device, cloud, events)
        comeToRest(device, cloud)
        expect(cloud.stored()).toEqual(device.taken)
      }),
      cases(30),
    )
  })

  test('a stepped clock makes no difference: the first value of a time wins', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(...always, ...restarts, ...steps), { maxLength: 60 }), (events) => {
        const device = createDevice()
        const cloud = createCloud()
        play(device, cloud, events)
        comeToRest(device, cloud)
        const first = new Map<string, number>()
        for (const [name, value] of device.taken) if (!first.has(name)) first.set(name, value)
        expect(cloud.stored()).toEqual([...first])
      }),
      cases(25),
    )
  })

  test('when the store overflows, every measurement is either stored or counted in a gap', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(...always), { maxLength: 60 }),
        fc.integer({ min: 1, max: 30 }),
        (events, maxRows) => {
          const device = createDevice({ maxRows })
          const cloud = createCloud()
          play(device, cloud, events)
          comeToRest(device, cloud)
          const stored = new Set(cloud.stored().map(([name]) => name))
          expect(cloud.stored()).toEqual(device.taken.filter(([name]) => stored.has(name)))
          expect(stored.size + cloud.dropped()).toBe(device.taken.length)
        },
      ),
      cases(25),
    )
  })
})
