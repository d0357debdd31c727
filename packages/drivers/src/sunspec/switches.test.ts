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

const CHARGE = { model: 124, point: 'InWRte' }
const DISCHARGE = { model: 124, point: 'OutWRte' }
const IN = 1
const OUT = 2
/** A bit that the standard does not define. */
const OTHER = 4

/** A battery whose rates are at 90 and 80, with these bits set. */
async function aBattery(bits: number) {
  const bench = await startSunspecBench()
  const values = { InWRte: 90, OutWRte: 80, InOutWRte_SF: 0, InOutWRte_RvrtTms: 0, StorCtl_Mod: bits }
  const [place] = putModels(bench.bank, [{ model: 124, values }])
  if (!place) return expect.fail('no model')
  return {
    ...bench,
    at: () => ['InWRte', 'OutWRte', 'StorCtl_Mod'].map((path) => pointAt(bench.bank, place, path)),
    setBits: (value: number) => setPoint(bench.bank, place, 'StorCtl_Mod', value),
  }
}

describe('the bit of a rate of a battery', () => {
  test.each([
    ['CHARGE', IN, [40, 80], 90],
    ['DISCHARGE', OUT, [90, 40], 80],
  ] as const)(
    'of %s is set after the setpoint, and cleared before the release; other bits stay',
    async (id, bit, rates, plain) => {
      const { open, at } = await aBattery(OTHER)
      const driver = await open({ CHARGE, DISCHARGE })
      const [before] = await driver.read([id])
      expect(before).toEqual({ raw: plain, image: expect.any(String) })
      await driver.write(id, 40)
      expect(at()).toEqual([...rates, OTHER | bit])
      expect(await driver.read([id])).toEqual([{ raw: 40 }])
      await driver.write(id, { image: before?.image ?? '' }, { release: true })
      expect(at()).toEqual([90, 80, OTHER])
      expect(await driver.read([id])).toEqual([before])
    },
  )

  test('leaves the bit of the other rate, which another hold has set', async () => {
    const { open, at } = await aBattery(0)
    const driver = await open({ CHARGE, DISCHARGE })
    const [charge, discharge] = await driver.read(['CHARGE', 'DISCHARGE'])
    // Both at the same moment.
    await Promise.all([driver.write('CHARGE', 40), driver.write('DISCHARGE', 30)])
    expect(at()).toEqual([40, 30, IN | OUT])
    await driver.write('CHARGE', { image: charge?.image ?? '' }, { release: true })
    expect(at()).toEqual([90, 30, OUT])
    expect(await driver.read(['DISCHARGE'])).toEqual([{ raw: 30 }])
    await driver.write('DISCHARGE', { image: discharge?.image ?? '' }, { release: true })
    expect(at()).toEqual([90, 80, 0])
  })

  test('that was set stays set, and is not written', async () => {
    const { open, at, requests } = await aBattery(IN)
    const driver = await open({ CHARGE })
    expect(await driver.read(['CHARGE'])).toEqual([{ raw: 90 }])
    for (const raw of [40, 90]) await driver.write('CHARGE', raw)
    expect(at()).toEqual([90, 80, IN])
    expect(requests.filter(({ functionCode }) => functionCode === 16)).toHaveLength(2)
  })

  test('that the device clears in the middle of a hold makes the setpoint an error, until it is written again', async () => {
    const { open, at, setBits } = await aBattery(IN | OUT)
    const driver = await open({ CHARGE, DISCHARGE })
    await driver.write('CHARGE', 40)
    setBits(OUT)
    expect(await driver.read(['CHARGE', 'DISCHARGE'])).toEqual([
      { error: 'bit 0 of StorCtl_Mod is 0: the device does not follow the setpoint', image: expect.any(String) },
      { raw: 80 },
    ])
    await driver.write('CHARGE', 40)
    expect(at()).toEqual([40, 80, IN | OUT])
  })

  test.each([0xffff, 0x8000])(
    'is not looked for in a bitfield that the device does not implement: %i',
    async (bits) => {
      const { open, at } = await aBattery(bits)
      const driver = await open({ CHARGE })
      expect(await driver.read(['CHARGE'])).toEqual([{ raw: 90 }])
      await driver.write('CHARGE', 40)
      expect(at()).toEqual([40, 80, bits])
      expect(await driver.read(['CHARGE'])).toEqual([{ raw: 40 }])
    },
  )

  test('is left to its datapoint if the file has one', async () => {
    const { open, at } = await aBattery(0)
    const driver = await open({ CHARGE, mode: { model: 124, point: 'StorCtl_Mod' } })
    await driver.write('CHARGE', 40)
    expect(at()).toEqual([40, 80, 0])
    expect(await driver.read(['CHARGE'])).toMatchObject([{ error: expect.stringContaining('bit 0 of StorCtl_Mod') }])
    await driver.write('mode', IN)
    expect(await driver.read(['CHARGE', 'mode'])).toEqual([{ raw: 40 }, { raw: IN }])
  })
})

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
