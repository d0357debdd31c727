import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Bench, startBench } from './testing/bench.ts'
import { BROKERS } from './testing/brokers.ts'

const FLOW = { stateTopic: 'hp/flow', commandTopic: 'hp/flow/set', path: 'value' }
const ONE = { flow: FLOW }

describe.each(BROKERS)('through $name', (kind) => {
  describe.skipIf(kind.missing)('equipment', () => {
    let bench: Bench
    beforeEach(async () => {
      bench = await startBench(kind)
    })
    afterEach(() => bench.stop())

    describe('that is restored to its earlier state', () => {
      test.each([
        [{ ...FLOW, path: undefined }, 'NaN', 'NaN'],
        [{ ...FLOW, path: undefined }, '-0', '-0'],
        [{ ...FLOW, path: undefined }, 'auto', 'auto'],
        [FLOW, '{"value":"auto"}', '{"value":"auto"}'],
        [FLOW, '{"value":-0}', '{"value":-0}'],
        [{ ...FLOW, decimals: 1 }, '{"value":21.449}', '{"value":21.449}'],
      ])('with %j and %s receives %s', async (data, state, payload) => {
        bench.equipment.behaviour = 'is silent'
        await bench.equipment.publish('hp/flow', state)
        const driver = await bench.open({ flow: data })
        const [before] = await driver.read(['flow'], { urgent: true })
        const image = before?.image ?? expect.fail('no image')
        await driver.write('flow', 5)
        await bench.equipment.received()
        await driver.write('flow', { image }, { release: true })
        expect(await bench.equipment.received()).toMatchObject({ payload })
        // The state shows the value already, so that the driver does not wait.
        await bench.equipment.publish('hp/flow', state)
        expect(await driver.read(['flow'], { urgent: true })).toEqual([before])
      })

      test('receives no damaged image', async () => {
        const driver = await bench.open(ONE)
        await expect(driver.write('flow', { image: '{}' })).rejects.toMatchObject({
          kind: 'rejected',
          message: 'the stored value {} is damaged; nothing was sent',
        })
      })
    })

    describe('whose command is no longer wanted', () => {
      test('receives nothing', async () => {
        const driver = await bench.open(ONE)
        await expect(driver.write('flow', 5, { stillWanted: () => false })).rejects.toMatchObject({
          kind: 'conflict',
          message: 'flow: no longer wanted; nothing was sent',
        })
        await driver.write('flow', 6, { stillWanted: () => true })
        expect(await bench.equipment.received()).toMatchObject({ payload: '{"value":6}' })
      })

      test('is checked again after the wait for its availability', async () => {
        const driver = await bench.open(ONE, { availability: { topic: 'hp/status' } })
        let wanted = true
        const first = expect(driver.write('flow', 5, { stillWanted: () => wanted })).rejects.toMatchObject({
          kind: 'conflict',
        })
        const second = driver.write('flow', 6)
        wanted = false
        await bench.equipment.publish('hp/status', 'online')
        await first
        await second
        expect(await bench.equipment.received()).toMatchObject({ payload: '{"value":6}' })
      })
    })
  })
})
