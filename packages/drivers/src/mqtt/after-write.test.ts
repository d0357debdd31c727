import { eventually } from '@plantroom/testkit/eventually'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Driver, Reading } from '../driver.ts'
import { type Bench, never, startBench } from './testing/bench.ts'
import { BROKERS } from './testing/brokers.ts'

const FLOW = { stateTopic: 'hp/flow', commandTopic: 'hp/flow/set', path: 'value' }
const ONE = { flow: FLOW }
const ECHO_MS = 2000
const UNKNOWN = { error: 'no state received since the last write' }

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

    describe('that is read right after a write', () => {
      test('is waited for until its state shows the new value', async () => {
        await bench.equipment.set('flow', 20)
        const driver = await bench.open(ONE)
        await readsAs(driver, { raw: 20 })
        for (const value of [25, 20, 25.1]) {
          await driver.write('flow', value)
          expect(await driver.read(['flow'], { urgent: true })).toEqual([{ raw: value }])
        }
      })

      test('is waited for even if it publishes something else in between', async () => {
        bench.equipment.behaviour = 'is silent'
        await bench.equipment.set('flow', 20)
        const driver = await bench.open(ONE)
        await readsAs(driver, { raw: 20 })
        await driver.write('flow', 25)
        const reading = driver.read(['flow'], { urgent: true })
        await bench.equipment.publish('hp/flow', '{"value":20.5}')
        await readsAs(driver, { raw: 20.5 })
        await bench.equipment.publish('hp/flow', '{"value":25.0000001}')
        expect(await reading).toEqual([{ raw: 25.0000001 }])
      })

      test('and ignores the command shows its own state after a while', async () => {
        await bench.equipment.set('flow', 20)
        const driver = await bench.open(ONE)
        await readsAs(driver, { raw: 20 })
        bench.equipment.behaviour = 'ignores'
        await driver.write('flow', 25)
        await readsAs(driver, { raw: 20 })
        const reading = driver.read(['flow'], { urgent: true })
        await waitsFor(ECHO_MS)
        await bench.clock.advance(ECHO_MS)
        expect(await reading).toEqual([{ raw: 20 }])
        expect(await driver.read(['flow'], { urgent: true })).toEqual([{ raw: 20 }])
      })

      test.each([
        [{}, ECHO_MS],
        [{ timeoutMs: 300 }, 300],
      ])('and says nothing is unknown, with %j after %i ms', async (settings, ms) => {
        bench.equipment.behaviour = 'is silent'
        await bench.equipment.set('flow', 20)
        const driver = await bench.open(ONE, settings)
        await readsAs(driver, { raw: 20 })
        await driver.write('flow', 25)
        const reading = driver.read(['flow'], { urgent: true })
        await waitsFor(ms)
        await bench.clock.advance(ms)
        expect(await reading).toEqual([UNKNOWN])
        expect(await driver.read(['flow'])).toEqual([UNKNOWN])
        await bench.equipment.set('flow', 20)
        await readsAs(driver, { raw: 20 })
      })

      test('and says nothing is known again from its retained state on a new link', async () => {
        bench.equipment.behaviour = 'is silent'
        await bench.equipment.set('flow', 20)
        const driver = await bench.open(ONE)
        await readsAs(driver, { raw: 20 })
        await driver.write('flow', 25)
        expect(await driver.read(['flow'])).toEqual([UNKNOWN])
        await driver.close()
        await driver.open(never)
        await readsAs(driver, { raw: 20 })
      })

      test('and says nothing has the value that it already had, unless another arrives within a while', async () => {
        bench.equipment.behaviour = 'is silent'
        await bench.equipment.set('flow', 25)
        const driver = await bench.open(ONE)
        await readsAs(driver, { raw: 25 })
        for (let turn = 0; turn < 2; turn += 1) {
          await driver.write('flow', 25)
          const reading = driver.read(['flow'], { urgent: true })
          await waitsFor(ECHO_MS)
          await bench.clock.advance(ECHO_MS)
          expect(await reading).toEqual([{ raw: 25 }])
        }
        await driver.write('flow', 25)
        const reading = driver.read(['flow'], { urgent: true })
        await bench.equipment.set('flow', 60)
        await readsAs(driver, { raw: 60 })
        await waitsFor(ECHO_MS)
        await bench.clock.advance(ECHO_MS)
        expect(await reading).toEqual([{ raw: 60 }])
      })

      test('is unknown if the command has another value than one that it has not carried out yet', async () => {
        bench.equipment.behaviour = 'is silent'
        await bench.equipment.set('flow', 25)
        const driver = await bench.open(ONE)
        await readsAs(driver, { raw: 25 })
        await driver.write('flow', 60)
        await driver.write('flow', 25)
        expect(await driver.read(['flow'])).toEqual([UNKNOWN])
      })

      test('counts as newer even if it is published before the broker acknowledges the command', async () => {
        bench.equipment.behaviour = 'is silent'
        await bench.equipment.set('flow', 20)
        const driver = await bench.open(ONE)
        await readsAs(driver, { raw: 20 })
        const writing = driver.write('flow', 25)
        await bench.equipment.received()
        await bench.equipment.set('flow', 25)
        await writing
        expect(await driver.read(['flow'], { urgent: true })).toEqual([{ raw: 25 }])
      })

      test('is waited for if it had this value before but has received another command since', async () => {
        bench.equipment.behaviour = 'is silent'
        await bench.equipment.set('flow', 25)
        const driver = await bench.open(ONE)
        await readsAs(driver, { raw: 25 })
        await driver.write('flow', 60)
        await driver.write('flow', 25)
        let over = false
        const reading = driver.read(['flow'], { urgent: true }).finally(() => {
          over = true
        })
        await bench.equipment.publish('hp/flow', '{"value":60}')
        await readsAs(driver, { raw: 60 })
        expect(over).toBe(false)
        await bench.equipment.publish('hp/flow', '{"value":25}')
        expect(await reading).toEqual([{ raw: 25 }])
      })

      test('does not delay other points', async () => {
        bench.equipment.behaviour = 'is silent'
        await bench.equipment.set('flow', 20)
        await bench.equipment.set('room', 18)
        const room = { stateTopic: 'hp/room', path: 'value', accessType: 'READ' }
        const driver = await bench.open({ flow: FLOW, room })
        await readsAs(driver, { raw: 18 }, 'room')
        await readsAs(driver, { raw: 20 })
        await driver.write('flow', 25)
        expect(await driver.read(['room'], { urgent: true })).toEqual([{ raw: 18 }])
        expect(await driver.read(['flow', 'room'])).toEqual([UNKNOWN, { raw: 18 }])
      })

      test('rejects when the link is lost meanwhile', async () => {
        bench.equipment.behaviour = 'is silent'
        const driver = await bench.open(ONE)
        await driver.write('flow', 25)
        const reading = expect(driver.read(['flow'], { urgent: true })).rejects.toMatchObject({ kind: 'offline' })
        bench.gateway.drop()
        await reading
      })
    })
  })
})
