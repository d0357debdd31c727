import { eventually } from '@plantroom/testkit/eventually'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Driver, Reading } from '../driver.ts'
import { type Bench, never, startBench } from './testing/bench.ts'
import { BROKERS } from './testing/brokers.ts'

const FLOW = { stateTopic: 'hp/flow', commandTopic: 'hp/flow/set', path: 'value' }
const ONE = { flow: FLOW }
const ECHO_MS = 2000

describe.each(BROKERS)('through $name', (kind) => {
  describe.skipIf(kind.missing)('equipment', () => {
    let bench: Bench
    beforeEach(async () => {
      bench = await startBench(kind)
    })
    afterEach(() => bench.stop())

    const readsAs = (driver: Driver, reading: Reading, id = 'flow') =>
      eventually(async () => expect(await driver.read([id])).toEqual([reading]))
    /** Resolves when the driver waits only for the equipment and its keep-alive. */
    const waitsFor = (ms: number) => eventually(() => expect(bench.clock.waiting()).toContain(ms))

    describe('that is offline', () => {
      const GONE = { kind: 'offline', message: 'the equipment reports that it is offline' }
      const isGone = (driver: Driver, urgent = false) =>
        eventually(() => expect(driver.read(['flow'], { urgent })).rejects.toMatchObject(GONE))

      test('rejects every read while its last will says so, and is back as soon as it is online', async () => {
        const driver = await bench.open(ONE, { availability: { topic: 'hp/status' } })
        await bench.equipment.publish('hp/status', 'online')
        await bench.equipment.set('flow', 20)
        await readsAs(driver, { raw: 20 })
        await bench.equipment.publish('hp/status', 'offline')
        await isGone(driver)
        await isGone(driver, true)
        // The link stays open: reopening changes nothing, and the driver notices when the equipment returns.
        await driver.open(never)
        expect(bench.gateway.links()).toBe(1)
        await isGone(driver)
        await bench.equipment.publish('hp/status', 'online')
        await readsAs(driver, { raw: 20 })
      })

      test('receives no command', async () => {
        const driver = await bench.open(ONE, { availability: { topic: 'hp/status' } })
        await bench.equipment.publish('hp/status', 'online')
        await bench.equipment.set('flow', 20)
        await readsAs(driver, { raw: 20 })
        bench.equipment.disconnect()
        await isGone(driver)
        await expect(driver.write('flow', 25)).rejects.toMatchObject({
          kind: 'offline',
          message: 'flow: the equipment reports that it is offline; nothing was sent',
        })
      })

      test('is known to be offline at the first read and the first write', async () => {
        await bench.equipment.publish('hp/status', 'offline')
        await bench.equipment.set('flow', 20)
        for (let turn = 0; turn < 5; turn += 1) {
          const driver = await bench.open(ONE, { availability: { topic: 'hp/status' } })
          await Promise.all([
            expect(driver.write('flow', 25)).rejects.toMatchObject({ kind: 'offline' }),
            expect(driver.read(['flow'])).rejects.toMatchObject(GONE),
          ])
          await driver.close()
        }
        expect(bench.equipment.values.get('flow')).toBe(20)
      })

      test('counts as online after a short wait if its availability is not retained', async () => {
        const driver = await bench.open(ONE, { availability: { topic: 'hp/status' } })
        const write = driver.write('flow', 25)
        await waitsFor(ECHO_MS)
        await bench.clock.advance(ECHO_MS)
        await write
        await readsAs(driver, { raw: 25 })
      })

      test('in part affects only that part', async () => {
        const room = { stateTopic: 'hp/room', path: 'value', accessType: 'READ', availabilityTopic: 'hp/room/status' }
        const driver = await bench.open({ flow: FLOW, room })
        await bench.equipment.set('flow', 20)
        await bench.equipment.set('room', 18)
        await bench.equipment.publish('hp/room/status', 'offline')
        await readsAs(driver, { error: GONE.message }, 'room')
        await readsAs(driver, { raw: 20 })
      })
    })
  })
})
