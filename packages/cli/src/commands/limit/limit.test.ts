import type { FleetLimit, LimitOutcome, SiteLimitInterval } from '@plantroom/contract/fleet-limit'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../../command.ts'
import { describeLimit, describeReleased, limit } from './limit.ts'
import { intervalsCsv, intervalsTable, ownIntervals } from './limit-intervals.ts'
import { limitRequest } from './limit-request.ts'

const NOW = new Date(2030, 0, 1, 12).getTime()
const iso = (ms: number) => new Date(ms).toISOString()

describe('plantroom limit', () => {
  test.each([
    [[], 'a subcommand is missing; use place, list, show, release or intervals'],
    [['place', '--kw', '60', '--for', '2h'], 'give what to limit: --site SITE or --device DEVICE or --tag TAG'],
    [['place', '--site', 'a', '--tag', 'b', '--kw', '60', '--for', '2h'], 'give only one: --site SITE'],
    [['place', '--site', 'a', '--for', '2h'], 'give the limit: --kw N'],
    [['place', '--site', 'a', '--kw', 'much', '--for', '2h'], '--kw much is not a number'],
    [['place', '--site', 'a', '--kw', '60'], 'give an end: --for DURATION or --to TIME'],
    [['release'], 'ID is missing'],
    [['show', 'lim_1', '--csv', '--json'], 'give only one of --csv and --json'],
    [['intervals', 'a', '--csv', '--json'], 'give only one of --csv and --json'],
  ])('%j is a usage error, reported before anything is sent', async (args, message) => {
    const error = await limit.run(args).catch((caught) => caught)
    expect(error).toBeInstanceOf(UsageError)
    expect(error.message).toContain(message)
  })
})

describe('the limit that flags describe', () => {
  test('is one of the import and of quarters of an hour', () => {
    expect(limitRequest({ site: 's', kw: '60', for: '2h' }, NOW)).toEqual({
      idempotencyKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...{ siteId: 's', direction: 'import', kw: 60, to: iso(NOW + 7_200_000), averagingSeconds: 900 },
    })
  })

  test('has every part that is given', () => {
    const times = { from: '13:00', to: '15:00', deadline: '14:00' }
    const flags = { tag: ['a'], kw: '0.5', export: true, 'every-reading': true, reason: 'r', 'idempotency-key': 'k' }
    expect(limitRequest({ ...flags, ...times }, NOW)).toEqual({
      ...{ idempotencyKey: 'k', tags: ['a'], direction: 'export', kw: 0.5, averagingSeconds: 0, reason: 'r' },
      ...{ from: iso(NOW + 3_600_000), to: iso(NOW + 3 * 3_600_000), deadline: iso(NOW + 2 * 3_600_000) },
    })
  })
})

describe('a limit for people', () => {
  const counts = { accepted: 1, refused: 1, offline: 0, expired: 0, pending: 0, cancelled: 0 }
  const found = { id: 'lim_1', state: 'completed', kw: 90, to: 'T', counts, releasing: 0 } as FleetLimit
  const outcome = (about: Partial<LimitOutcome>) => ({
    deviceId: 'dev',
    kw: 30,
    reason: null,
    isReplaced: false,
    isLost: false,
    ...about,
  })

  test('lists the share of each controller that counts', () => {
    const outcomes = [
      outcome({ outcome: 'cancelled', isReplaced: true, kw: 45 }),
      outcome({ outcome: 'accepted' }),
      outcome({ outcome: 'refused', reason: 'no\u001B[2J' }),
      outcome({ outcome: 'refused', isLost: true, deviceId: 'dev_2' }),
    ] as LimitOutcome[]
    const text = describeLimit(found, outcomes)
    expect(text).toContain('limit lim_1 of 90 kW until T: 1 accepted, 1 refused\n')
    for (const hidden of ['45', '\u001B']) expect(text).not.toContain(hidden)
    expect(text).toMatch(/dev_2 +30 +lost/)
    expect(text.split('\n')).toHaveLength(5)
  })

  test('that is released says which controllers must still do it', () => {
    expect(describeReleased({ ...found, state: 'cancelled' })).toMatch(/is released$/)
    expect(describeReleased({ ...found, state: 'cancelled', releasing: 2 })).toMatch(/2 controllers/)
    expect(describeReleased(found)).toMatch(/is over/)
  })
})

describe('the proof of a limit', () => {
  const interval = (about: Partial<SiteLimitInterval> = {}): SiteLimitInterval => ({
    ...{ from: iso(NOW), to: iso(NOW + 900_000), deviceId: 'dev', direction: 'import', limitKw: 60, meanKw: 41.5 },
    ...{
      coverage: 100,
      state: 'limited',
      kept: true,
      moved: ['x', 'y'],
      marginKw: 18.5,
      limitId: 'ovr_1',
      placedBy: null,
    },
    limitedBy: { source: 'placed', kw: 60, limitId: 'ovr_1' },
    ...about,
  })

  test('is CSV with what limited each interval, and an empty cell for what is unknown', () => {
    const off = interval({ meanKw: null, marginKw: null, kept: null, coverage: 0, state: 'fallback', limitedBy: null })
    const times = `${iso(NOW)},${iso(NOW + 900_000)}`
    expect(intervalsCsv([interval(), off]).split('\n').slice(1)).toEqual([
      `${times},dev,import,60,41.5,18.5,100,limited,true,x y,ovr_1,placed,60,ovr_1`,
      `${times},dev,import,60,,,0,fallback,,x y,ovr_1,,,`,
    ])
  })

  test('names the limit that was stricter, or where it came from', () => {
    const text = intervalsTable([
      interval(),
      interval({ limitedBy: { source: 'placed', kw: 42, limitId: 'ovr_2' } }),
      interval({ limitedBy: { source: 'contact', kw: 30, limitId: null } }),
      interval({ limitedBy: null }),
    ])
    const shown = text.split('\n').slice(1)
    for (const [row, expected] of ['ovr_1 (60 kW)', 'ovr_2 (42 kW)', 'contact (30 kW)', 'unknown'].entries()) {
      expect(shown[row]).toContain(expected)
    }
  })

  test('has the intervals of this limit at all of its controllers, the oldest first', () => {
    const later = interval({ from: iso(NOW + 900_000) })
    const elsewhere = interval({ deviceId: 'dev_b', limitId: 'ovr_2' })
    const others = [
      interval({ limitId: 'ovr_of_others' }),
      interval({ limitId: null }),
      interval({ deviceId: 'dev_b' }),
    ]
    const outcomes = [
      { deviceId: 'dev', limitId: 'ovr_1' },
      { deviceId: 'dev_b', limitId: 'ovr_2' },
      { deviceId: 'dev', limitId: null },
    ]
    expect(ownIntervals([later, ...others, elsewhere], outcomes)).toEqual([elsewhere, later])
  })
})
