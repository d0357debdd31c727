import { describe, expect, test } from 'vitest'
import { startSunspecBench } from './testing/bench.ts'
import { pointAt, putModels, type ScriptedModel, setPoint } from './testing/device-registers.ts'

const LIMIT = { model: 123, point: 'WMaxLimPct' }
const CHARGE = { model: 124, point: 'InWRte' }
const DISCHARGE = { model: 124, point: 'OutWRte' }
const SET = { model: 704, point: 'WSet' }

const CONTROLS: ScriptedModel[] = [
  { model: 123, values: { WMaxLimPct: 100, WMaxLimPct_SF: 0, WMaxLimPct_RvrtTms: 0, WMaxLim_Ena: 1 } },
  { model: 124, values: { InWRte: 0, OutWRte: 0, InOutWRte_SF: 0, InOutWRte_RvrtTms: 0 } },
  { model: 704, length: 65, values: { WSet: 0, WSet_SF: 0, WSetRvrtTms: 0, WSetEna: 1 } },
]

async function aDevice(models: readonly ScriptedModel[] = CONTROLS) {
  const bench = await startSunspecBench()
  const places = putModels(bench.bank, models)
  const placeOf = (model: number) => places.find((each) => each.model === model) ?? expect.fail(`no model ${model}`)
  return {
    ...bench,
    placeOf,
    at: (model: number, path: string) => pointAt(bench.bank, placeOf(model), path),
    set: (model: number, path: string, value: number) => setPoint(bench.bank, placeOf(model), path, value),
    writes: () => bench.requests.filter(({ functionCode }) => functionCode === 16),
  }
}

describe('a reversion timer', () => {
  test.each([
    [LIMIT, 'WMaxLimPct_RvrtTms'],
    [CHARGE, 'InOutWRte_RvrtTms'],
    [SET, 'WSetRvrtTms'],
  ])('of %o is set, and set to 0 again', async (point, timer) => {
    const { open, at } = await aDevice()
    const driver = await open({ point }, { revertSeconds: 90 })
    expect(await driver.armReversion?.('point')).toBe(90)
    expect(at(point.model, timer)).toBe(90)
    await driver.disarmReversion?.('point')
    expect(at(point.model, timer)).toBe(0)
  })

  test('that the device does not implement is none', async () => {
    const { open, writes, set } = await aDevice()
    set(123, 'WMaxLimPct_RvrtTms', 0xffff)
    const driver = await open({ LIMIT })
    expect(await driver.armReversion?.('LIMIT')).toBeUndefined()
    await driver.disarmReversion?.('LIMIT')
    expect(writes()).toEqual([])
  })

  test('is left alone for other points, without a timer in the file, and where the model ends before it', async () => {
    const { open, writes } = await aDevice([{ model: 124, length: 10, values: {} }, ...CONTROLS.slice(0, 1)])
    const driver = await open({ LIMIT, CHARGE, ramp: { model: 123, point: 'WMaxLimPct_RmpTms' } }, { revertSeconds: 0 })
    for (const id of ['LIMIT', 'CHARGE', 'ramp']) expect(await driver.armReversion?.(id)).toBeUndefined()
    expect(writes()).toEqual([])
  })

  test('that the device refuses to set is named, with what to do', async () => {
    const { open, answer, bank, placeOf } = await aDevice()
    const timer = placeOf(123).register + 7
    answer((request) => {
      if (request.functionCode === 16 && request.address === timer) request.answer([0x90, 3])
      else bank.answer(request)
    })
    const driver = await open({ LIMIT })
    const refusal = { kind: 'rejected', message: expect.stringMatching(/exception 3.*; set revertSeconds: 0/) }
    await expect(driver.armReversion?.('LIMIT')).rejects.toMatchObject(refusal)
  })

  test('that keeps showing 0 is not believed', async () => {
    const { open, answer, bank, placeOf } = await aDevice()
    const timer = placeOf(123).register + 7
    answer((request) => {
      if (request.functionCode === 16 && request.address === timer) request.answer([16, ...request.body.subarray(0, 4)])
      else bank.answer(request)
    })
    const driver = await open({ LIMIT })
    await expect(driver.armReversion?.('LIMIT')).rejects.toMatchObject({ message: expect.stringContaining('shows 0') })
  })

  test('of two points is disarmed with the second', async () => {
    const { open, at } = await aDevice()
    const driver = await open({ CHARGE, DISCHARGE })
    await driver.armReversion?.('CHARGE')
    await driver.armReversion?.('DISCHARGE')
    await driver.disarmReversion?.('CHARGE')
    expect(at(124, 'InOutWRte_RvrtTms')).toBe(120)
    await driver.disarmReversion?.('DISCHARGE')
    expect(at(124, 'InOutWRte_RvrtTms')).toBe(0)
  })

  test('of a point that was never released does not keep it armed for ever', async () => {
    const { open, at, clock } = await aDevice()
    const driver = await open({ CHARGE, DISCHARGE })
    await driver.armReversion?.('CHARGE')
    await clock.advance(120_000)
    await driver.armReversion?.('DISCHARGE')
    await driver.disarmReversion?.('DISCHARGE')
    expect(at(124, 'InOutWRte_RvrtTms')).toBe(0)
  })

  test('is not set after its point was released', async () => {
    const { open, at } = await aDevice()
    const driver = await open({ LIMIT })
    await driver.read(['LIMIT'])
    const arming = expect(driver.armReversion?.('LIMIT')).rejects.toMatchObject({ kind: 'conflict' })
    await driver.disarmReversion?.('LIMIT')
    await arming
    expect(at(123, 'WMaxLimPct_RvrtTms')).toBe(0)
  })
})
