import { eventually } from '@plantroom/testkit/eventually'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Driver, Reading } from '../driver.ts'
import { type Bench, startBench } from './testing/bench.ts'
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

    describe('that is read', () => {
      test('has no state before its first message, then the last one', async () => {
        const driver = await bench.open(ONE)
        expect(await driver.read(['flow'])).toEqual([{ error: 'no state received yet' }])
        await bench.equipment.set('flow', 20)
        await readsAs(driver, { raw: 20 })
        await bench.equipment.set('flow', 21.5)
        await readsAs(driver, { raw: 21.5 })
      })

      test('is known from its retained state, however old', async () => {
        await bench.equipment.set('flow', 20)
        await readsAs(await bench.open(ONE), { raw: 20 })
      })

      test('gives one reading per point, in order, whatever it publishes', async () => {
        const driver = await bench.open({
          flow: FLOW,
          temp: { stateTopic: 'hp/all', path: 'sensors[0].temp', accessType: 'READ' },
          energy: { stateTopic: 'hp/all', path: 'energy', accessType: 'READ' },
          text: { stateTopic: 'hp/text', accessType: 'READ' },
          command: { commandTopic: 'hp/x/set', accessType: 'WRITE' },
        })
        await bench.equipment.publish('hp/flow', 'not JSON')
        await bench.equipment.publish('hp/all', '{"sensors":[{"temp":-3.5}],"energy":9007199254740993}', {
          retain: false,
        })
        await bench.equipment.publish('hp/text', Uint8Array.of(0xc3, 0x28))
        const ids = ['text', 'energy', 'stranger', 'flow', 'temp', 'command', 'temp']
        await eventually(async () =>
          expect(await driver.read(ids)).toEqual([
            { error: 'the payload is not UTF-8' },
            { raw: 9007199254740993n },
            { error: 'stranger is not a datapoint of this connection' },
            { error: 'the payload is not JSON: "not JSON"' },
            { raw: -3.5 },
            { error: 'command can only be written' },
            { raw: -3.5 },
          ]),
        )
        expect(await driver.read([])).toEqual([])
      })

      test('may send a payload of any size without affecting other points', async () => {
        const driver = await bench.open({ flow: FLOW, huge: { stateTopic: 'hp/huge', accessType: 'READ' } })
        await bench.equipment.publish('hp/huge', Buffer.alloc(20_000_000, '1'))
        await bench.equipment.set('flow', 20)
        await readsAs(driver, { raw: 20 })
        await readsAs(driver, { error: 'the payload is longer than 256 KiB' }, 'huge')
        await bench.equipment.publish('hp/huge', '1')
        await readsAs(driver, { raw: 1 }, 'huge')
      })

      test('may publish often: the last state counts', async () => {
        const driver = await bench.open(ONE)
        const { publish } = bench.equipment
        await Promise.all(
          Array.from({ length: 2000 }, (_, value) => publish('hp/flow', `{"value":${value}}`, { qos: 0 })),
        )
        await bench.equipment.set('flow', 20)
        await readsAs(driver, { raw: 20 })
      })

      test('is stale when its state is older than the maximum age', async () => {
        const driver = await bench.open({ flow: { ...FLOW, maxAgeSeconds: 5 } }, { keepAliveSeconds: 3600 })
        await bench.equipment.set('flow', 20)
        await readsAs(driver, { raw: 20 })
        await bench.clock.advance(5001)
        expect(await driver.read(['flow'])).toEqual([{ error: 'stale: no state received for more than 5 s' }])
        await bench.equipment.set('flow', 20)
        await readsAs(driver, { raw: 20 })
      })

      test('is read from the state topic of a WRITE point if there is one', async () => {
        const driver = await bench.open({ flow: { ...FLOW, accessType: 'WRITE' } })
        await bench.equipment.set('flow', 20)
        await readsAs(driver, { raw: 20 })
        expect(await driver.read(['flow'], { urgent: true })).toEqual([{ raw: 20 }])
      })
    })

    describe('that is written to', () => {
      test.each([
        [FLOW, 21.5, '{"value":21.5}'],
        [{ ...FLOW, path: 'a.b' }, 9007199254740993n, '{"a":{"b":9007199254740993}}'],
        [{ ...FLOW, path: 'list[0]', commandPath: 'set' }, 1, '{"set":1}'],
        [{ ...FLOW, commandTemplate: 'SET {{value}}' }, 5, 'SET 5'],
        [{ ...FLOW, path: undefined }, -7, '-7'],
        [{ ...FLOW, decimals: 1 }, 21.449, '{"value":21.4}'],
        [{ ...FLOW, on: 'ON', off: 'OFF' }, 1, '{"value":"ON"}'],
      ])('with %j receives %s as %s', async (data, raw, payload) => {
        bench.equipment.behaviour = 'is silent'
        const driver = await bench.open({ flow: data })
        await driver.write('flow', raw)
        expect(await bench.equipment.received()).toEqual({ payload, qos: 1, retain: false })
      })

      test('needs no state topic', async () => {
        bench.equipment.behaviour = 'is silent'
        const driver = await bench.open({ flow: { commandTopic: 'hp/flow/set', accessType: 'WRITE', qos: 0 } })
        await driver.write('flow', 5)
        expect(await bench.equipment.received()).toEqual({ payload: '5', qos: 0, retain: false })
      })

      test('receives a retained command when it connects later', async () => {
        const driver = await bench.open({ late: { commandTopic: 'hp/late', accessType: 'WRITE', retain: true } })
        await driver.write('late', 5)
        await readsAs(await bench.open({ late: { stateTopic: 'hp/late', accessType: 'READ' } }), { raw: 5 }, 'late')
      })

      test('receives no value that does not fit', async () => {
        const driver = await bench.open({
          flow: FLOW,
          meter: { stateTopic: 'hp/meter', accessType: 'READ' },
          pump: { stateTopic: 'hp/pump', commandTopic: 'hp/pump/set', on: 'ON', off: 'OFF' },
        })
        for (const [id, raw, message] of [
          ['flow', Number.NaN, 'NaN cannot be sent'],
          ['pump', 0.5, '0.5 does not fit a switch'],
          ['meter', 1, 'meter can only be read'],
          ['stranger', 1, 'stranger is not a datapoint of this connection'],
        ] as const) {
          await expect(driver.write(id, raw)).rejects.toMatchObject({
            kind: 'rejected',
            message: expect.stringContaining(message),
          })
        }
        expect(() => driver.nearest('meter', 1)).toThrow('meter can only be read')
        expect(() => driver.nearest('flow', Number.POSITIVE_INFINITY)).toThrow('Infinity cannot be sent')
        expect(driver.nearest('flow', 21.449)).toBe(21.449)
        expect(driver.nearest('pump', 0.7)).toBe(1)
        await driver.write('flow', 5)
        expect(await bench.equipment.received()).toMatchObject({ payload: '{"value":5}' })
      })
    })

    describe('that is read urgently right after opening', () => {
      test('is waited for until its retained state has arrived', async () => {
        await bench.equipment.set('flow', 20)
        const driver = await bench.open(ONE)
        expect(await driver.read(['flow'], { urgent: true })).toEqual([{ raw: 20 }])
      })

      test('is not waited for any longer if there is none', async () => {
        const driver = await bench.open(ONE)
        const reading = driver.read(['flow'], { urgent: true })
        await waitsFor(ECHO_MS)
        await bench.clock.advance(ECHO_MS)
        expect(await reading).toEqual([{ error: 'no state received yet' }])
        expect(await driver.read(['flow'], { urgent: true })).toEqual([{ error: 'no state received yet' }])
      })
    })
  })
})
