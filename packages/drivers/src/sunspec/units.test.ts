import { systemClock } from '@plantroom/base/clock'
import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connectionOf, never } from '../modbus/testing/bench.ts'
import { createRegisterBank } from '../modbus/testing/register-bank.ts'
import { startScriptedPeer } from '../modbus/testing/scripted-peer.ts'
import { createCountingListener } from '../testing/counting-listener.ts'
import { pointAt, putModels } from './testing/device-registers.ts'
import { createSunspec } from './testing/sunspec-rig.ts'

const METER = { model: 103, point: 'W', accessType: 'READ' }
const LIMIT = { model: 123, point: 'WMaxLimPct' }
const DATA = {
  powerOf3: { unitId: 3, ...METER },
  powerOf7: { unitId: 7, ...METER },
  limitOf7: { unitId: 7, ...LIMIT },
}
const LIMITS = { WMaxLimPct: 70, WMaxLimPct_SF: 0, WMaxLimPct_RvrtTms: 0, WMaxLim_Ena: 1 }

const ofSunspec = (data: Parameters<typeof connectionOf>[0], settings: Record<string, unknown>) => ({
  ...connectionOf(data, { host: '127.0.0.1', ...settings }),
  protocol: 'sunspec' as const,
})

/** Two inverters behind one address, which have their models in another order. */
async function twoInverters() {
  const models = [
    { model: 103, values: { W: 300, W_SF: 0 } },
    { model: 123, values: LIMITS },
  ]
  const banks = new Map([3, 7].map((unit) => [unit, createRegisterBank()]))
  const places = new Map(
    [...banks].map(([unit, bank]) => [unit, putModels(bank, unit === 3 ? models : models.toReversed())]),
  )
  const peer = await startScriptedPeer()
  onTestFinished(() => peer.stop())
  const silent = new Set<number>()
  const asked = new Set<number>()
  const answer: Parameters<typeof peer.serve>[0] = (request) => {
    asked.add(request.unitId)
    if (!silent.has(request.unitId)) banks.get(request.unitId)?.answer(request)
  }
  peer.serve(answer)
  const events = createCountingListener()
  const settings = { port: peer.port, unitIds: [3, 7], timeoutMs: 300 }
  const driver = createSunspec({ clock: systemClock }).connect(ofSunspec(DATA, settings), events)
  onTestFinished(() => driver.close())
  await driver.open(never)
  const at = (unit: number, path: string) => {
    const [bank, place] = [banks.get(unit), places.get(unit)?.find(({ model }) => model === 123)]
    return bank && place ? pointAt(bank, place, path) : expect.fail(`no unit ${unit}`)
  }
  return { driver, peer, silent, asked, at, events, ids: Object.keys(DATA) }
}

describe('several devices behind one address', () => {
  test('share a connection, each with its own models', async () => {
    const { driver, peer, asked, at, ids } = await twoInverters()
    expect(await driver.read(ids)).toEqual([{ raw: 300 }, { raw: 300 }, { raw: 70 }])
    expect([...asked].sort()).toEqual([3, 7])
    expect(peer.openCount()).toBe(1)
    expect(await driver.armReversion?.('limitOf7')).toBe(120)
    await driver.write('limitOf7', 40)
    expect(['WMaxLimPct', 'WMaxLimPct_RvrtTms'].map((path) => at(7, path))).toEqual([40, 120])
    await driver.disarmReversion?.('limitOf7')
    expect(at(7, 'WMaxLimPct_RvrtTms')).toBe(0)
    expect(['WMaxLimPct', 'WMaxLimPct_RvrtTms'].map((path) => at(3, path))).toEqual([70, 0])
  })

  test('are read and written while another one is silent, whose points alone have an error', async () => {
    const { driver, silent, at, ids } = await twoInverters()
    silent.add(3)
    const readings = await driver.read(ids)
    expect(readings).toEqual([{ error: expect.stringMatching(/./) }, { raw: 300 }, { raw: 70 }])
    await driver.write('limitOf7', 40)
    expect(at(7, 'WMaxLimPct')).toBe(40)
    silent.add(7)
    await expect(driver.read(ids)).rejects.toMatchObject({ kind: 'offline' })
    silent.clear()
  })

  test('report the loss of their link once', async () => {
    const { driver, peer, events, ids } = await twoInverters()
    await driver.read(ids)
    await peer.stop()
    await eventually(() => expect(events.losses).not.toEqual([]))
    await expect(driver.read(ids)).rejects.toMatchObject({ kind: 'offline' })
    expect(events.losses).toHaveLength(1)
  })
})

describe('a file', () => {
  const protocol = createSunspec({ clock: systemClock })
  const check = (settings: Record<string, unknown>, data: Record<string, object> = {}) =>
    protocol.check(ofSunspec(data as never, settings)).map(({ path, message }) => `${path}: ${message}`)

  test('names the devices as a list or as ranges, and the device of each point', () => {
    expect(check({ unitIds: [3, 7] }, DATA)).toEqual([])
    expect(check({ unitIds: '1-3,7' }, DATA)).toEqual([])
    // One device needs no name.
    expect(check({ unitIds: [7] }, { limit: LIMIT })).toEqual([])
    expect(check({ unitId: 7 }, { limit: { unitId: 7, ...LIMIT } })).toEqual([])
  })

  test.each([
    [
      { unitIds: [3, 7] },
      { limit: LIMIT },
      'datapoints[0].data.unitId: is missing: it says which of the devices 3, 7 has the point',
    ],
    [
      { unitIds: [3, 7] },
      { limit: { unitId: 4, ...LIMIT } },
      'datapoints[0].data.unitId: 4 is none of the devices 3, 7 has the point',
    ],
    [{ unitIds: [3], unitId: 3 }, {}, 'settings.unitIds: stands instead of unitId: give only one of them'],
    [{ unitIds: '3-1' }, {}, 'settings.unitIds: "3-1" must be unit ids from 0 to 255, such as 1-10,20'],
    [{ unitIds: [] }, {}, 'settings.unitIds: [] must be unit ids from 0 to 255, such as 1-10,20'],
    [{ unitIds: {} }, {}, 'settings.unitIds: {} must be unit ids from 0 to 255, such as 1-10,20'],
  ])('with a mistake is refused: %o %o', (settings, data, problem) => {
    expect(check(settings, data as Record<string, object>)).toContain(problem)
  })

  test('may list a device that was alone: its points stay the same equipment', () => {
    const alone = protocol.targets(ofSunspec({ limit: LIMIT }, { unitId: 7 }))
    const listed = protocol.targets(ofSunspec({ limit: { unitId: 7, ...LIMIT } } as never, { unitIds: [3, 7] }))
    const other = protocol.targets(ofSunspec({ limit: { unitId: 3, ...LIMIT } } as never, { unitIds: [3, 7] }))
    expect(listed).toEqual(alone)
    expect(other[0]?.space).not.toBe(alone[0]?.space)
  })
})
