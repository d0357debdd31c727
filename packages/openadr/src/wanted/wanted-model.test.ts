import { cases } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PROFILES } from '../profiles/profiles.ts'
import { HOUR, MINUTE, mapped, NOON, RESOURCES, read, time } from '../testing/events.ts'
import { readingAt, type SpelledOut, spelledOut } from '../testing/plain-reading.ts'
import { know } from './know.ts'
import type { KnownEvent } from './known-event.ts'
import type { Placement } from './placements.ts'
import { MAX_PIECE_MS, wanted } from './wanted.ts'

const PROFILE = PROFILES['alliance-3.1']
const MAPPING = mapped(RESOURCES, PROFILE)
const MOST = 15
/** Resources that people took out of events, as `EVENT RESOURCE`. */
type OptOuts = ReadonlySet<string>
const want = (events: readonly KnownEvent[], now: number, out: OptOuts = new Set()) =>
  wanted(events, MAPPING, PROFILE, now, {
    envelopeOf: () => ({ max: MOST }),
    isOptedOut: (eventId, resourceName) => out.has(`${eventId} ${resourceName}`),
  })

const minutes = (from: number, to: number) =>
  fc.integer({ min: from, max: to }).map((minute) => time(NOON + minute * MINUTE))
const start = fc.oneof(
  { weight: 5, arbitrary: minutes(-3000, 3000) },
  fc.constantFrom('0001-01-01', '0000-00-00T00:00:00Z', null),
)
const duration = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 300 }).map((length) => `PT${length}M`) },
  fc.constantFrom('PT30H', 'P3D', 'PT0S', 'P9999Y', 'P9999Y0M0DT0H0M0S', null),
)
const payload = fc.record({
  type: fc.constantFrom(
    'DISPATCH_SETPOINT',
    'IMPORT_CAPACITY_LIMIT',
    'IMPORT_CAPACITY_SUBSCRIPTION',
    'PRICE',
    'NOBODY_KNOWS',
  ),
  values: fc.tuple(fc.integer({ min: -2, max: 20 })),
})
const intervals = fc
  .array(
    fc.record({
      period: fc.option(fc.record({ start: fc.option(start, { freq: 2 }), duration }), { freq: 2 }),
      payloads: fc.array(payload, { minLength: 1, maxLength: 2 }),
    }),
    { maxLength: 4 },
  )
  .map((list) => list.map(({ period, payloads }, id) => ({ id, intervalPeriod: period, payloads })))
const content = fc.record({
  // Different for each event: what equals in everything is decided by the id, which the standard does not say.
  priority: fc.option(fc.integer({ min: 0, max: 2 })),
  intervalPeriod: fc.option(fc.record({ start, duration }), { freq: 8 }),
  duration: fc.option(
    fc.integer({ min: 1, max: 2000 }).map((length) => `PT${length}M`),
    { freq: 3 },
  ),
  intervals,
})
const action = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('write' as const), id: fc.nat(4), content }) },
  fc.record({ kind: fc.constant('delete' as const), id: fc.nat(4) }),
  fc.record({
    kind: fc.constantFrom('out' as const, 'in' as const),
    id: fc.nat(4),
    resource: fc.constantFrom(...RESOURCES.map(({ resourceName }) => resourceName)),
  }),
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 2000 }) }),
  },
  fc.record({ kind: fc.constant('step' as const), minutes: fc.integer({ min: -300, max: 300 }) }),
)

const nameOf = ({ target }: Placement) => target.kind
/** Minutes to look at: around every beginning and end, and some between. */
function momentsOf(events: readonly SpelledOut[], placements: readonly Placement[], now: number): number[] {
  const ends = [...placements, ...events.flatMap(({ spans }) => spans)].flatMap(({ from, to }) => [from, to])
  const near = ends
    .flatMap((moment) => [moment - MINUTE, moment])
    .filter((_, index) => index % Math.ceil(ends.length / 50) === 0)
  const between = Array.from({ length: 24 }, (_, hour) => now + hour * HOUR)
  return [...new Set([now, ...near, ...between])].filter((moment) => moment >= now && moment < now + MAX_PIECE_MS)
}

function expectTheStandard(events: readonly KnownEvent[], now: number, out: OptOuts): void {
  const { placements, nextAt } = want(events, now, out)
  const plain = spelledOut(events, now + 3 * MAX_PIECE_MS)
  for (const moment of momentsOf(plain, placements, now)) {
    const { setpoint, limit } = readingAt(plain, moment, MOST, out)
    for (const [kind, reading] of [
      ['setpoint', setpoint],
      ['limit', limit],
    ] as const) {
      const running = placements.filter((one) => nameOf(one) === kind && one.from <= moment && moment < one.to)
      expect(running.length, `${kind} at ${time(moment)}`).toBe(reading ? 1 : 0)
      const [one] = running
      expect(one && { value: one.value, eventId: one.origin.event?.id }, `${kind} at ${time(moment)}`).toEqual(reading)
    }
  }
  expect(new Set(placements.map(({ key }) => key)).size).toBe(placements.length)
  for (const { from, to, origin } of placements) {
    expect(to - from).toBeLessThanOrEqual(MAX_PIECE_MS)
    expect(to).toBeGreaterThan(now)
    expect(from).toBeLessThan(now + MAX_PIECE_MS)
    const spans = plain.find(({ known }) => known.event.id === origin.event?.id)?.spans
    expect(
      spans?.some((span) => span.from <= from && to <= span.to),
      'nothing outlives its interval',
    ).toBe(true)
  }
  if (nextAt === null) return
  expect(nextAt).toBeGreaterThan(now)
  // Until then, the answer is the same.
  expect(keysOf(events, nextAt - 1, out)).toEqual(keysOf(events, now, out))
}

const keysOf = (events: readonly KnownEvent[], now: number, out?: OptOuts) =>
  want(events, now, out).placements.map(({ key }) => key)

test('whatever a VTN writes, changes and deletes, and whatever the clock does, the placements are what the standard says', () => {
  const created = (id: number) => time(NOON - 100 * HOUR + id * MINUTE)
  const life = (actions: readonly (typeof action extends fc.Arbitrary<infer One> ? One : never)[]) => {
    const events = new Map<string, KnownEvent>()
    const out = new Set<string>()
    let now = NOON
    for (const one of actions) {
      if (one.kind === 'write') {
        const id = `e${one.id}`
        const event = read({ ...one.content, id, programID: 'p', createdDateTime: created(one.id) })
        events.set(id, know(events.get(id), event, now, 0))
      } else if (one.kind === 'delete') events.delete(`e${one.id}`)
      else if ('resource' in one) out[one.kind === 'out' ? 'add' : 'delete'](`e${one.id} ${one.resource}`)
      else if (one.kind === 'step') now += one.minutes * MINUTE
      else {
        const list = [...events.values()]
        const before = want(list, now, out).placements
        now += one.minutes * MINUTE
        const after = new Set(keysOf(list, now, out))
        for (const { key, to } of before) expect(after.has(key), 'a placement stays until it ends').toBe(to > now)
      }
      expectTheStandard([...events.values()], now, out)
    }
  }
  fc.assert(fc.property(fc.array(action, { minLength: 1, maxLength: 12 }), life), cases(90))
})

test('the order in which a VTN lists events does not matter', () => {
  const event = fc
    .tuple(fc.uuid(), content)
    .map(([id, fields]) => know(undefined, read({ ...fields, id, programID: 'p' }), NOON, 0.3))
  fc.assert(
    fc.property(fc.uniqueArray(event, { maxLength: 6, selector: (one) => one.event.id }), (events) => {
      expect(keysOf(events.toReversed(), NOON)).toEqual(keysOf(events, NOON))
    }),
    cases(100),
  )
})
