import { describe, expect, test } from 'vitest'
import { startSunspecBench } from './testing/bench.ts'
import { pointAt, putModels, setPoint } from './testing/device-registers.ts'

const LIMIT = { model: 123, point: 'WMaxLimPct' }

async function aLimiter(isOn: boolean) {
  const bench = await startSunspecBench()
  const [place] = putModels(bench.bank, [
    { model: 123, values: { WMaxLimPct: 70, WMaxLimPct_SF: 0, WMaxLimPct_RvrtTms: 0, WMaxLim_Ena: isOn ? 1 : 0 } },
  ])
  if (!place) return expect.fail('no model')
  return {
    ...bench,
    at: () => [pointAt(bench.bank, place, 'WMaxLimPct'), pointAt(bench.bank, place, 'WMaxLim_Ena')],
    set: (path: string, value: number) => setPoint(bench.bank, place, path, value),
  }
}

describe('the switch of a control', () => {
  test('is set after the setpoint, and the release restores both', async () => {
    const { open, at } = await aLimiter(false)
    const driver = await open({ LIMIT })
    const [before] = await driver.read(['LIMIT'])
    expect(before).toEqual({ raw: 70, image: expect.any(String) })
    await driver.write('LIMIT', 40)
    expect(at()).toEqual([40, 1])
    expect(await driver.read(['LIMIT'])).toEqual([{ raw: 40 }])
    await driver.write('LIMIT', { image: before?.image ?? '' }, { release: true })
    expect(at()).toEqual([70, 0])
    expect(await driver.read(['LIMIT'])).toEqual([before])
  })

  test('that was on stays on', async () => {
    const { open, at, requests } = await aLimiter(true)
    const driver = await open({ LIMIT })
    expect(await driver.read(['LIMIT'])).toEqual([{ raw: 70 }])
    for (const raw of [40, 70]) await driver.write('LIMIT', raw)
    expect(at()).toEqual([70, 1])
    expect(requests.filter(({ functionCode }) => functionCode === 16)).toHaveLength(2)
  })

  test('that the device sets to 0 in the middle of a hold makes the setpoint an error, until it is written again', async () => {
    const { open, at, set } = await aLimiter(true)
    const driver = await open({ LIMIT })
    await driver.write('LIMIT', 40)
    set('WMaxLim_Ena', 0)
    const [off] = await driver.read(['LIMIT'])
    expect(off).toMatchObject({ error: 'WMaxLim_Ena is 0: the device does not follow the setpoint' })
    await driver.write('LIMIT', 40)
    expect(at()).toEqual([40, 1])
    expect(await driver.read(['LIMIT'])).toEqual([{ raw: 40 }])
  })

  test('is left to its datapoint if the file has one', async () => {
    const { open, at } = await aLimiter(false)
    const driver = await open({ LIMIT, enabled: { model: 123, point: 'WMaxLim_Ena' } })
    await driver.write('LIMIT', 40)
    expect(at()).toEqual([40, 0])
    expect(await driver.read(['LIMIT'])).toEqual([
      { error: expect.stringContaining('WMaxLim_Ena is 0'), image: expect.any(String) },
    ])
    await driver.write('enabled', 1)
    expect(await driver.read(['LIMIT', 'enabled'])).toEqual([{ raw: 40 }, { raw: 1 }])
  })

  test.each(['', 'off 00', 'off 00zz', '0046', `off ${'00'.repeat(100_000)}`])(
    'rejects a damaged image: %.20s',
    async (image) => {
      const { open, at } = await aLimiter(false)
      const driver = await open({ LIMIT })
      await expect(driver.write('LIMIT', { image })).rejects.toMatchObject({ kind: 'rejected' })
      expect(at()).toEqual([70, 0])
    },
  )
})
