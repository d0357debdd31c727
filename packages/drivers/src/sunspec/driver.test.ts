import { describe, expect, test } from 'vitest'
import { startSunspecBench } from './testing/bench.ts'
import { pointAt, putModels, setPoint } from './testing/device-registers.ts'

const INVERTER = { model: 103, values: { W: 1234, W_SF: -1, WH: 5, WH_SF: 2, A: 0xffff, A_SF: -2, St: 4 } }
const W = { model: 103, point: 'W', accessType: 'READ' }
const WH = { model: 103, point: 'WH', accessType: 'READ' }
const WMAX = { model: 121, point: 'WMax' }
const SETTINGS = { model: 121, values: { WMax: 5000, WMax_SF: 1 } }

describe('reading', () => {
  test.each([0, 40_000, 50_000])('finds the models at %i', async (base) => {
    const { bank, open } = await startSunspecBench()
    putModels(bank, [{ model: 1, values: {} }, INVERTER], { base })
    const driver = await open({ W, WH })
    expect(await driver.read(['W', 'WH'])).toEqual([{ raw: 123.4 }, { raw: 500 }])
  })

  test('takes the length of each model from the device, and their order', async () => {
    const { bank, open } = await startSunspecBench()
    putModels(bank, [
      { model: 64_001, length: 7, values: {} },
      { ...INVERTER, length: 60 },
      { model: 1, length: 65, values: {} },
    ])
    const driver = await open({ W })
    expect(await driver.read(['W'])).toEqual([{ raw: 123.4 }])
  })

  test('asks for the scale factor with each value', async () => {
    const { bank, open, requests } = await startSunspecBench()
    const [inverter] = putModels(bank, [INVERTER])
    const driver = await open({ W, WH })
    await driver.read(['W', 'WH'])
    if (!inverter) return expect.fail()
    setPoint(bank, inverter, 'W_SF', 1)
    requests.length = 0
    expect(await driver.read(['W', 'WH'])).toEqual([{ raw: 12_340 }, { raw: 500 }])
    expect(requests).toHaveLength(1)
  })

  test('shows what the device does not implement, and scale factors that are none, as errors', async () => {
    const { bank, open } = await startSunspecBench()
    const values = {
      ...INVERTER.values,
      Hz: 500,
      VA: 10,
      VA_SF: 11,
      PF: 0x8000 - 0x1_0000,
      PF_SF: 0,
      Evt1: 0xffff_ffff,
    }
    putModels(bank, [
      { model: 103, values },
      { model: 113, values: {} },
    ])
    const point = (name: string, model = 103) => ({ model, point: name, accessType: 'READ' })
    const driver = await open({
      ...{ A: point('A'), Hz: point('Hz'), VA: point('VA'), PF: point('PF'), Evt: point('Evt1') },
      ...{ float: point('W', 113), W },
    })
    const absent = { error: 'not implemented by the device' }
    expect(await driver.read(['A', 'Hz', 'VA', 'PF', 'Evt', 'float', 'W'])).toEqual([
      absent,
      { error: 'its scale factor Hz_SF is not implemented by the device' },
      { error: 'its scale factor VA_SF is 11: it must be from -10 to 10' },
      absent,
      absent,
      absent,
      { raw: 123.4 },
    ])
  })

  test('finds repetitions, instances and groups by name', async () => {
    const { bank, open } = await startSunspecBench()
    const modules = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`module[${index + 1}].DCW`, 100 + index]),
    )
    putModels(bank, [
      { model: 203, values: { W: 7, W_SF: 0 } },
      { model: 160, length: 8 + 12 * 20, values: { DCW_SF: -1, ...modules } },
      { model: 203, values: { W: 8, W_SF: 0 } },
      { model: 704, length: 65, values: { 'PFWInj.PF': 95, PF_SF: -2 } },
      { model: 705, length: 13 + 2 * 18, values: { NPt: 4, NCrv: 2, V_SF: -1, 'Crv[2].Pt[3].V': 1050 } },
    ])
    const read = (model: number, point: string, instance = 1) => ({ model, point, instance, accessType: 'READ' })
    const driver = await open({
      ...{ first: read(203, 'W'), second: read(203, 'W', 2), third: read(203, 'W', 3) },
      ...{ near: read(160, 'module[2].DCW'), far: read(160, 'module[12].DCW'), none: read(160, 'module[13].DCW') },
      ...{ pf: read(704, 'PFWInj.PF'), curve: read(705, 'Crv[2].Pt[3].V') },
    })
    expect(await driver.read(['first', 'second', 'third', 'near', 'far', 'none', 'pf', 'curve'])).toEqual([
      { raw: 7 },
      { raw: 8 },
      { error: 'the device has no model 203 number 3; it has 203, 160, 203, 704, 705' },
      { raw: 10.1 },
      { raw: 11.1 },
      { error: 'the device has 12 of module, so that there is no number 13' },
      { raw: 0.95 },
      { raw: 105 },
    ])
  })

  test('follows a device that restarts with its models elsewhere', async () => {
    const { bank, open } = await startSunspecBench()
    putModels(bank, [{ model: 1, values: {} }, INVERTER])
    const driver = await open({ W })
    await driver.read(['W'])
    putModels(bank, [{ model: 1, values: {} }, SETTINGS, INVERTER])
    expect(await driver.read(['W'])).toEqual([{ raw: 123.4 }])
  })
})

describe('writing', () => {
  test('uses the scale factor of the moment', async () => {
    const { bank, open } = await startSunspecBench()
    const [settings] = putModels(bank, [SETTINGS])
    if (!settings) return expect.fail()
    const driver = await open({ WMAX })
    await driver.read(['WMAX'])
    setPoint(bank, settings, 'WMax_SF', 2)
    await driver.write('WMAX', 40_000)
    expect(pointAt(bank, settings, 'WMax')).toBe(400)
    expect(await driver.read(['WMAX'], { urgent: true })).toEqual([{ raw: 40_000 }])
  })

  test('rounds to the scale factor, so that the nearest value reads back', async () => {
    const { bank, open } = await startSunspecBench()
    putModels(bank, [{ model: 124, values: { MinRsvPct: 0, MinRsvPct_SF: -2 } }])
    const driver = await open({ reserve: { model: 124, point: 'MinRsvPct' } })
    await driver.read(['reserve'])
    const nearest = driver.nearest('reserve', 33.333_333)
    expect(nearest).toBe(33.33)
    await driver.write('reserve', nearest)
    expect(await driver.read(['reserve'])).toEqual([{ raw: 33.33 }])
    expect(() => driver.nearest('reserve', 655.35)).toThrow('not implemented')
    expect(() => driver.nearest('reserve', 656)).toThrow('does not fit')
  })

  test('never reaches a register that another model has taken', async () => {
    const { bank, open, requests } = await startSunspecBench()
    putModels(bank, [SETTINGS])
    const driver = await open({ WMAX })
    await driver.read(['WMAX'])
    const [, moved] = putModels(bank, [INVERTER, SETTINGS])
    if (!moved) return expect.fail()
    await expect(driver.write('WMAX', 40_000)).rejects.toMatchObject({ kind: 'offline' })
    expect(requests.filter(({ functionCode }) => functionCode === 16)).toEqual([])
    await driver.write('WMAX', 40_000)
    expect(pointAt(bank, moved, 'WMax')).toBe(4000)
  })
})
