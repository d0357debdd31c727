import { describe, expect, test } from 'vitest'
import { PROFILES } from '../profiles/profiles.ts'
import { HOUR, interval, known, MINUTE, mapped, NOON, RESOURCES, time } from '../testing/events.ts'
import { type WantedOptions, wanted } from './wanted.ts'

const PROFILE = PROFILES['alliance-3.1']
const MAPPING = mapped(RESOURCES, PROFILE)
const DAY = 24 * HOUR
const at = (start: number, duration: string | null = 'PT1H') => ({ start: time(start), duration })
const want = (events: Parameters<typeof wanted>[0], now = NOON, options: WantedOptions = {}, mapping = MAPPING) =>
  wanted(events, mapping, PROFILE, now, options)
const limit = (id: number, kw: unknown, period?: unknown, type = 'IMPORT_CAPACITY_LIMIT') =>
  interval(id, kw, period, type)
const kinds = (answer: ReturnType<typeof want>) => answer.notes.map(({ kind }) => kind)

describe('time', () => {
  test('what lasts longer than a day comes in pieces of a day that stay as they are', () => {
    const event = known({ intervalPeriod: at(NOON - 30 * HOUR, 'P5D') })
    const answer = want([event])
    expect(answer.placements.map(({ from, to }) => [(from - NOON) / HOUR, (to - NOON) / HOUR])).toEqual([
      [-6, 18],
      [18, 42],
    ])
    const later = want([event], NOON + 17 * HOUR).placements
    expect(later.slice(0, 2).map(({ key }) => key)).toEqual(answer.placements.map(({ key }) => key))
    expect(later).toHaveLength(2)
  })

  test('a piece that began after another event keeps its key when that event is over', () => {
    const low = known({ id: 'low', priority: 5, intervalPeriod: at(NOON, 'PT8H') })
    const high = known({ id: 'high', priority: 0, intervalPeriod: at(NOON, 'PT1H') })
    const rest = want([low, high]).placements[1]
    expect(rest).toMatchObject({ from: NOON + HOUR, to: NOON + 8 * HOUR })
    expect(want([low, high], NOON + 2 * HOUR).placements).toEqual([rest])
  })

  test('an interval without any duration lasts until the next one begins', () => {
    const period = { start: time(NOON) }
    const intervals = [interval(0, 1), interval(1, 2, { start: time(NOON + 20 * MINUTE) })]
    const [first, second] = want([known({ intervalPeriod: period, intervals })]).placements
    expect([first?.to, second?.from, second?.to]).toEqual([
      NOON + 20 * MINUTE,
      NOON + 20 * MINUTE,
      NOON + 20 * MINUTE + DAY,
    ])
  })

  test('says when the answer changes: at an end, and when something comes within the horizon', () => {
    expect(want([known()]).nextAt).toBe(NOON + HOUR)
    const far = known({ intervalPeriod: at(NOON + 30 * HOUR) })
    const { nextAt, placements } = want([far])
    expect(placements).toEqual([])
    expect(want([far], (nextAt ?? 0) - 1).placements).toEqual([])
    expect(want([far], nextAt ?? 0).placements).toHaveLength(1)
    expect(want([known({ intervalPeriod: at(NOON + 30 * DAY) })]).nextAt).toBe(NOON + DAY)
    expect(want([known()], NOON + DAY).nextAt).toBeNull()
  })
})

describe('values', () => {
  const clamping = mapped(
    [
      {
        resourceName: 'battery',
        rules: [{ payload: 'DISPATCH_SETPOINT', datapointId: 'd', outsideEnvelope: 'clamp', factor: 2 }],
      },
    ],
    PROFILE,
  )

  test('a value that the datapoint does not take is refused, or clamped, as the rule says', () => {
    const envelopeOf = () => ({ min: 0, max: 15 })
    const refused = want([known()], NOON, { envelopeOf: () => ({ max: 5 }) })
    expect([refused.placements, kinds(refused)]).toEqual([[], ['outside-envelope']])
    const clamped = want([known()], NOON, { envelopeOf }, clamping)
    expect([clamped.placements.map(({ value }) => value), kinds(clamped)]).toEqual([[15], ['clamped']])
  })

  test('a value that has no number after its conversion is refused', () => {
    const answer = want([known({ intervals: [interval(0, 1e308)] })], NOON, {}, clamping)
    expect([answer.placements, kinds(answer)]).toEqual([[], ['not-a-value']])
  })

  test('an event for a datapoint that no longer exists is refused, and the others go on', () => {
    const events = [known(), known({ id: 'e2', intervals: [limit(0, 60)] })]
    const answer = want(events, NOON, { envelopeOf: () => undefined })
    expect(answer.placements.map(({ target }) => target.kind)).toEqual(['limit'])
    expect(answer.notes).toMatchObject([{ kind: 'no-datapoint', eventId: 'event-1', resourceName: 'battery' }])
  })

  test('a refused value leaves the lower priority in force', () => {
    const events = [known({ priority: 0, intervals: [interval(0, 99)] }), known({ id: 'low', priority: 1 })]
    expect(want(events, NOON, { envelopeOf: () => ({ max: 50 }) }).placements).toMatchObject([
      { value: 10, origin: { event: { id: 'low' } } },
    ])
  })

  test.each([
    ['several values', [1, 2], 'not-a-value'],
    ['no value', [], 'not-a-value'],
    ['a text', ['10'], 'not-a-value'],
    ['a point', [{ x: 1, y: 2 }], 'not-a-value'],
  ])('%s is no setpoint', (_name, values, kind) => {
    const intervals = [{ id: 0, payloads: [{ type: 'DISPATCH_SETPOINT', values }] }]
    const answer = want([known({ intervals })])
    expect([answer.placements, kinds(answer)]).toEqual([[], [kind]])
  })

  test('the table of a rule says what a level means; release wins a priority and holds nothing', () => {
    const level = (id: string, value: number, priority: number) =>
      known({ id, priority, intervals: [interval(0, value, undefined, 'SIMPLE')] })
    expect(want([level('a', 1, 1)]).placements).toMatchObject([{ value: 15, target: { datapointId: 'heat' } }])
    expect(want([level('a', 1, 1), level('b', 0, 0)]).placements).toEqual([])
    expect(kinds(want([level('c', 3, 0)]))).toEqual(['not-in-table'])
    expect(kinds(want([level('d', 7, 0)]))).toEqual(['not-a-value'])
  })

  test.each([
    ['KW', 60, 60],
    ['W', 60_000, 60],
    ['MW', 0.06, 60],
  ])('a limit in %s becomes kW, whether the event or the program names the unit', (units, value, kw) => {
    const payloadDescriptors = [{ payloadType: 'IMPORT_CAPACITY_LIMIT', units, currency: null }]
    const event = known({ intervals: [limit(0, value)], payloadDescriptors })
    const plain = known({ intervals: [limit(0, value)] })
    const programs = [{ id: 'program-1', name: 'p', payloadDescriptors }]
    expect(want([event]).placements.map((one) => one.value)).toEqual([kw])
    expect(want([plain], NOON, { programs }).placements.map((one) => one.value)).toEqual([kw])
  })

  test('a unit that is no power is refused', () => {
    const payloadDescriptors = [{ payloadType: 'IMPORT_CAPACITY_LIMIT', units: 'AMPS' }]
    expect(kinds(want([known({ intervals: [limit(0, 60)], payloadDescriptors })]))).toEqual(['wrong-unit'])
  })

  test('a subscribed capacity counts where no limit does, whatever its priority', () => {
    const subscription = known({
      id: 's',
      priority: 0,
      intervalPeriod: at(NOON, 'PT3H'),
      intervals: [limit(0, 100, undefined, 'IMPORT_CAPACITY_SUBSCRIPTION')],
    })
    const event = known({ id: 'l', intervalPeriod: at(NOON + HOUR), intervals: [limit(0, 60)] })
    expect(want([subscription, event]).placements.map(({ value }) => value)).toEqual([100, 60, 100])
  })

  test('a price and an unknown payload are noted and never acted on', () => {
    const payloads = [
      { type: 'PRICE', values: [0.3] },
      { type: 'PRIVATE', values: [1] },
    ]
    const answer = want([known({ intervals: [{ id: 0, payloads }] })])
    expect([answer.placements, kinds(answer)]).toEqual([[], ['shown', 'unknown-payload']])
    // A name that every object has is unknown, too.
    expect(kinds(want([known({ intervals: [interval(0, 1, undefined, 'constructor')] })]))).toEqual(['unknown-payload'])
  })
})

describe('targets', () => {
  const addressed = (targets: unknown, options: WantedOptions = {}) =>
    want(
      [known({ targets, intervals: [{ id: 0, payloads: [...interval(0, 10).payloads, ...limit(0, 60).payloads] }] })],
      NOON,
      options,
    ).placements.map(({ origin }) => origin.resourceName)

  test('an event without targets is for every resource', () => {
    expect(addressed([])).toEqual(['connection-point', 'battery'])
  })

  test('3.0 names resources and VENs by type', () => {
    const ofVen = (...values: string[]) => ({ type: 'VEN_NAME', values })
    const ofResource = (...values: string[]) => ({ type: 'RESOURCE_NAME', values })
    expect(addressed([ofResource('battery')])).toEqual(['battery'])
    expect(addressed([ofVen('us')], { venName: 'us' })).toHaveLength(2)
    expect(addressed([ofVen('them'), ofResource('battery')], { venName: 'us' })).toEqual([])
    expect(addressed([ofVen('us'), ofResource('unknown')], { venName: 'us' })).toEqual([])
  })

  test('3.1 names groups, which the VTN gave to resources', () => {
    const resources = [{ name: 'battery', targets: [{ type: null, value: 'group-1' }] }]
    expect(addressed(['group-1'], { resources })).toEqual(['battery'])
    expect(addressed(['group-2'], { resources })).toEqual([])
    expect(addressed(['group-2'], { venTargets: [{ type: null, value: 'group-2' }] })).toHaveLength(2)
  })
})

describe('a silent VTN', () => {
  const silentSince = NOON - 2 * HOUR
  const rules = [
    {
      payload: 'IMPORT_CAPACITY_LIMIT',
      fallback: 20,
      limit: { siteId: 's', direction: 'import', averagingSeconds: 900 },
    },
  ]
  const withSilence = (onSilence: string, silenceSeconds = 3600) =>
    mapped([{ resourceName: 'cp', rules }, RESOURCES[0]], PROFILE, { onSilence, silenceSeconds })
  const events = [known({ intervals: [limit(0, 60)] }), known({ id: 'e2' })]
  const values = (onSilence: string, silenceSeconds?: number) =>
    want(events, NOON, { silentSince }, withSilence(onSilence, silenceSeconds)).placements.map(({ value }) => value)

  test('is followed as far as it is known, released, or replaced by the fallback of the rules', () => {
    expect(values('keep').toSorted()).toEqual([10, 60])
    expect(values('release')).toEqual([])
    expect(values('fallback').toSorted()).toEqual([10, 20, 20])
  })

  test('changes nothing before it has lasted long enough, and says when that is', () => {
    expect(values('release', 3 * 3600)).toHaveLength(2)
    expect(want(events, NOON, { silentSince: NOON }, withSilence('release', 600)).nextAt).toBe(NOON + 600_000)
  })
})

describe('flexibility of NL-Flex', () => {
  const profile = PROFILES['nlflex-1.0']
  const group = mapped(
    [
      {
        resourceName: 'group-1',
        rules: [{ payload: 'FLEX', limit: { siteId: 's', direction: 'import', averagingSeconds: 900 } }],
      },
    ],
    profile,
  )
  const baseline = (id: string, kw: number, hour: number) =>
    known({
      id,
      targets: ['group-1'],
      intervalPeriod: null,
      createdDateTime: time(NOON - (10 - hour) * HOUR),
      intervals: [interval(0, kw, undefined, 'ACTIVE_BASELINE')],
    })
  const flex = known({
    id: 'flex',
    targets: ['group-1'],
    intervalPeriod: at(NOON - 2 * HOUR, 'P1D'),
    intervals: [0, 40, 0].map((kw, index) =>
      interval(index, kw, at(NOON + (index === 2 ? 3 : index) * HOUR, index === 1 ? 'PT2H' : 'PT1H'), 'FLEX'),
    ),
  })
  const limits = (...baselines: ReturnType<typeof baseline>[]) => wanted([flex, ...baselines], group, profile, NOON)

  test('the ceiling is the newest baseline minus the flexibility', () => {
    expect(
      limits(baseline('b1', 100, 1), baseline('b2', 120, 2)).placements.map(({ value, from, to }) => [
        value,
        (to - from) / HOUR,
      ]),
    ).toEqual([
      [120, 1],
      [80, 2],
      [120, 1],
    ])
  })

  test('without a baseline there is no ceiling; below 0 it is 0', () => {
    expect(limits()).toMatchObject({ placements: [], notes: [{ kind: 'no-baseline' }] })
    expect(limits(baseline('b', 30, 1)).placements.map(({ value }) => value)).toEqual([30, 0, 30])
  })
})

describe('an event that repeats its intervals', () => {
  const repeating = (each: string, count: number, more = {}) =>
    known({
      duration: 'P9999Y',
      intervalPeriod: at(NOON - 30 * DAY, each),
      intervals: Array.from({ length: count }, (_, id) => interval(id, id)),
      ...more,
    })

  test.each([
    ['each millisecond', repeating('PT0.001S', 10_000)],
    ['each second', repeating('PT1S', 1)],
  ])('%s is not acted on, and the others are', (_name, fast) => {
    const answer = want([fast, known({ id: 'other' })])
    expect(answer.placements.map(({ origin }) => origin.event?.id)).toEqual(['other'])
    expect(answer.notes.map(({ kind, eventId }) => [kind, eventId])).toEqual([['too-many-intervals', 'event-1']])
  })

  test('each quarter of a minute is followed', () => {
    const { placements } = want([repeating('PT15S', 1)])
    expect(placements[0]).toMatchObject({ from: NOON, to: NOON + 15_000 })
  })

  test('is not followed more often when there are thousands of such events', () => {
    const events = Array.from({ length: 3000 }, (_, index) => repeating('PT1M', 1, { id: `e${index}` }))
    expect(want(events).placements).toEqual([])
    expect(want(events.slice(0, 200)).placements[0]).toMatchObject({ from: NOON, to: NOON + MINUTE })
  })
})
