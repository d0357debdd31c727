import { describe, expect, test } from 'vitest'
import { createRegisterBank } from '../modbus/testing/register-bank.ts'
import { definitionOf, knownModels } from './definitions.ts'
import { findPoint } from './layout.ts'
import { listModels } from './list.ts'
import { startSunspecBench } from './testing/bench.ts'
import { putModels } from './testing/device-registers.ts'
import { type ReadRegisters, walkModels } from './walk.ts'

const W = { model: 103, point: 'W', accessType: 'READ' }
const INVERTER = { model: 103, values: { W: 5, W_SF: 0 } }

/** Reads from registers in memory, and counts. */
function readerOf({ holding }: { holding: Map<number, number> }): { read: ReadRegisters; requests(): number } {
  let requests = 0
  return {
    requests: () => requests,
    async read(register, count) {
      requests += 1
      const wire = new DataView(new ArrayBuffer(count * 2))
      for (let index = 0; index < count; index += 1) {
        const word = holding.get(register + index)
        if (word === undefined) return { error: 'exception 2: illegal data address' }
        wire.setUint16(index * 2, word)
      }
      return wire
    },
  }
}

describe('the models of the standard', () => {
  test('can all be parsed, and have the scale factors that their points name', () => {
    expect(knownModels()).toHaveLength(38)
    for (const model of knownModels()) {
      const definition = definitionOf(model)
      expect(definition?.points.slice(0, 2).map(({ name }) => name)).toEqual(['ID', 'L'])
      const names = new Set(definition?.points.map(({ name }) => name))
      const missing: string[] = []
      const groups = [definition]
      for (const group of groups) {
        groups.push(...(group?.groups ?? []))
        for (const { scale } of group?.points ?? []) if (scale && !names.has(scale)) missing.push(`${model} ${scale}`)
        if (typeof group?.count === 'object') expect(names).toContain(group.count.point)
      }
      expect(missing).toEqual([])
    }
  })

  test('have the sizes of the standard', () => {
    const inverters = [68, 52, 52, 52, 62, 62, 62, 28, 32, 46, 26, 26, 10]
    const meters = [107, 107, 107, 107, 126, 126, 126, 126]
    const resources = [155, 52, 19, 59, 15, 15, 9, 9, 9, 9, 14, 14, 9, 20]
    expect(knownModels().map((model) => definitionOf(model)?.width)).toEqual([
      ...[...inverters, ...meters, ...resources],
      ...[64, 28, 48],
    ])
  })

  test.each([
    [64_001, 'W', 'model', '64001 is not among the models that we know'],
    [103, 'Watt', 'point', 'Watt is not in model 103'],
    [160, 'DCW', 'point', 'DCW is not in model 160; there is module[1].DCW'],
    [160, 'module.DCW', 'point', 'module.DCW must say which module, for example module[1]'],
    [160, 'module[0].DCW', 'point', 'module[0].DCW must say which module, for example module[1]'],
    [704, 'PFWInj[1].PF', 'point', 'PFWInj[1].PF must name PFWInj without a number'],
    [704, `${'PFWInj.'.repeat(10_000)}PF`, 'point', 'is not in model 704'],
  ])('do not have %i %.20s', (model, path, field, message) => {
    expect(findPoint(model, path)).toEqual({ path: field, message: expect.stringContaining(message) })
  })
})

describe('the list of models', () => {
  test.each([
    ['has no end marker and no more registers', [], 'exception 2'],
    ['goes on with zeros', new Array<number>(200).fill(0), 'it holds no model'],
    ['leads beyond the last register', [9, 65_000], 'no more registers'],
    [
      'has models without a length, on and on',
      Array.from({ length: 2000 }, (_, at) => (at % 2 ? 0 : 7)),
      'more than 200',
    ],
  ])('that %s ends, and keeps the models before', async (_how, end, reason) => {
    const bank = createRegisterBank()
    putModels(bank, [INVERTER], { end })
    const { read, requests } = readerOf(bank)
    const map = await walkModels(read)
    expect(map).toMatchObject({ base: 40_000, incomplete: expect.stringContaining(reason) })
    if ('models' in map) expect(map.models[0]).toEqual({ model: 103, register: 40_002, length: 50 })
    expect(requests()).toBeLessThan(210)
  })

  test('is looked for at each address, with the reason for each', async () => {
    const bank = createRegisterBank()
    bank.holding.set(50_000, 1).set(50_001, 2)
    expect(await walkModels(readerOf(bank).read)).toEqual({
      error: `no SunSpec models found at 40000 (exception 2: illegal data address), 50000 (holds something else), 0 (exception 2: illegal data address)`,
    })
  })

  test('shows every point with its name, unit, value and state', async () => {
    const bank = createRegisterBank()
    putModels(bank, [
      { model: 1, values: {} },
      { model: 103, values: { W: -50, W_SF: 1, St: 4 } },
      { model: 64_001, length: 3, values: {} },
      { model: 160, length: 8 + 40, values: { DCW_SF: 0, 'module[2].DCW': 9 } },
    ])
    for (const [index, word] of [0x4163, 0x6d65].entries()) bank.holding.set(40_004 + index, word)
    const listing = await listModels(readerOf(bank).read)
    if ('error' in listing) return expect.fail(listing.error)
    expect(listing.models.map(({ model, name, points }) => [model, name, points.length])).toEqual([
      [1, 'common', 6],
      [103, 'inverter_three_phase', 31],
      [64_001, undefined, 0],
      [160, 'mppt', 23],
    ])
    const points = new Map(
      listing.models.flatMap(({ model, points }) => points.map((each) => [`${model} ${each.path}`, each])),
    )
    expect(points.get('1 Mn')).toMatchObject({ value: 'Acme' })
    expect(points.get('103 W')).toMatchObject({ value: -500, unit: 'W', writable: false })
    expect(points.get('103 St')).toMatchObject({ value: 4, state: 'MPPT' })
    expect(points.get('103 A')).toMatchObject({ value: null })
    expect(points.get('160 module[2].DCW')).toMatchObject({ value: 9 })
  })
})

describe('a device in trouble while its models are looked for', () => {
  test('that is busy keeps what was found, and is asked again later', async () => {
    const { bank, open, answer, clock } = await startSunspecBench()
    const [, second] = putModels(bank, [INVERTER, { model: 203, values: { W: 9, W_SF: 0 } }])
    let isBusy = true
    answer((request) => {
      if (isBusy && request.address === second?.register) request.answer([0x83, 6])
      else bank.answer(request)
    })
    const driver = await open({ W, meter: { ...W, model: 203 } })
    const busy = {
      error: expect.stringMatching(/has no model 203; it has 103, and the list .* exception 6: server device busy/),
    }
    expect(await driver.read(['W', 'meter'])).toEqual([{ raw: 5 }, busy])
    isBusy = false
    await clock.advance(1000)
    expect(await driver.read(['W', 'meter'])).toEqual([{ raw: 5 }, { raw: 9 }])
  })

  test('that is not a SunSpec device shows it at every point, and is not asked all the time', async () => {
    const { open, requests } = await startSunspecBench()
    const driver = await open({ W })
    const none = [{ error: expect.stringContaining('no SunSpec models found at 40000') }]
    expect(await driver.read(['W'])).toEqual(none)
    const asked = requests.length
    expect(await driver.read(['W'])).toEqual(none)
    expect(requests).toHaveLength(asked)
  })
})
