import type { LimitRequest } from '@plantroom/contract/fleet-limit'
import { describe, expect, test } from 'vitest'
import { limitHash, planLimit, splitLimit } from './limit-plan.ts'
import type { LimitedMeter } from './meter-store.ts'

const NOW = Date.UTC(2030, 0, 1)
const MINUTE = 60_000
const at = (minutes: number) => new Date(NOW + minutes * MINUTE).toISOString()
const meter = (name: string, about: Partial<LimitedMeter> = {}): LimitedMeter => ({
  ...{ id: `meter_${name}`, deviceId: name, siteId: 'site', guaranteedKw: 0, importKw: 10, exportKw: 10 },
  ...about,
})
const request = (about: Partial<LimitRequest> = {}): LimitRequest => ({
  ...{ idempotencyKey: 'k', siteId: 'site', direction: 'import', kw: 60, to: at(120), averagingSeconds: 900 },
  ...about,
})
const [a, b] = [meter('a'), meter('b')]

describe('a limit', () => {
  test('of one controller has all kW, also below what is guaranteed, and is tried until it ends', () => {
    const { window, targets } = planLimit(request({ kw: 1 }), [meter('a', { guaranteedKw: 4 })], NOW)
    expect(window).toEqual({ from: NOW, to: NOW + 120 * MINUTE, deadline: NOW + 120 * MINUTE })
    expect(targets).toEqual([{ deviceId: 'a', siteId: 'site', datapointId: 'meter_a', value: 1, from: NOW }])
  })

  test('of several controllers is tried for five minutes after its start, unless the caller says otherwise', () => {
    expect(planLimit(request({ from: at(30) }), [a, b], NOW).window.deadline).toBe(NOW + 35 * MINUTE)
    expect(planLimit(request({ deadline: at(1) }), [a, b], NOW).window.deadline).toBe(NOW + MINUTE)
  })

  test('of several controllers may leave them just what is guaranteed', () => {
    const meters = [meter('a', { guaranteedKw: 5 }), meter('b', { guaranteedKw: 4 })]
    expect(planLimit(request({ kw: 9 }), meters, NOW).targets.map(({ value }) => value)).toEqual([5, 4])
  })

  test.each<[string, Partial<LimitRequest>, LimitedMeter[], string, string]>([
    ['ends before it begins', { from: at(10), to: at(5) }, [a], 'to', 'after from'],
    ['is longer than a day', { to: at(24 * 60 + 1) }, [a], 'to', '24 hours'],
    ['is over', { to: at(-1) }, [a], 'to', 'in the past'],
    [
      'leaves less than is guaranteed to several',
      { kw: 9 },
      [meter('a', { guaranteedKw: 5 }), meter('b', { guaranteedKw: 5 })],
      'kw',
      'send at least that',
    ],
    [
      'cannot be kept because nothing takes up power',
      { direction: 'export' },
      [meter('a', { exportKw: 0 })],
      'direction',
      'modulating',
    ],
  ])('that %s is refused', (_why, about, meters, field, message) => {
    const refusal = expect.objectContaining({ kind: 'invalid', field, message: expect.stringContaining(message) })
    expect(() => planLimit(request(about), meters, NOW)).toThrow(refusal)
  })

  test('has the same hash however its times and its tags are written, and another one for another limit', () => {
    const hash = (about: Partial<LimitRequest>) => limitHash(request({ siteId: undefined as never, ...about }))
    const one = hash({ tags: ['a', 'b'], to: '2030-01-01T02:00:00Z' })
    expect(hash({ tags: ['b', 'a', 'a'], to: '2030-01-01T03:00:00+01:00' })).toBe(one)
    for (const about of [
      { kw: 61 },
      { direction: 'export' as const },
      { averagingSeconds: 0 as const },
      { reason: 'x' },
    ]) {
      expect(hash({ tags: ['a', 'b'], to: '2030-01-01T02:00:00Z', ...about })).not.toBe(one)
    }
  })
})

describe('a total', () => {
  test('is split by what each can move, above what is guaranteed', () => {
    const meters = [meter('a', { guaranteedKw: 10, importKw: 30 }), meter('b', { guaranteedKw: 5, importKw: 60 })]
    expect(splitLimit('import', 60, meters)).toEqual([25, 35])
    expect(splitLimit('export', 60, meters)).toEqual([30, 30])
  })

  test('is split evenly where nothing can be moved', () => {
    expect(splitLimit('import', 10, [meter('a', { importKw: 0 }), meter('b', { importKw: 0 })])).toEqual([5, 5])
  })

  test('is never exceeded by its shares, and loses less than a watt for each', () => {
    for (let count = 2; count < 40; count += 1) {
      const meters = Array.from({ length: count }, (_, index) => meter(`m${index}`, { importKw: 1 + (index % 7) }))
      const watts = splitLimit('import', 100, meters).reduce((sum, kw) => sum + Math.round(kw * 1000), 0)
      expect(watts).toBeLessThanOrEqual(100_000)
      expect(watts).toBeGreaterThan(100_000 - count)
    }
  })
})
