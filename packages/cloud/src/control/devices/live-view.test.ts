import type { Hold, PlacedOverride } from '@plantroom/contract/control-state'
import { describe, expect, test } from 'vitest'
import type { NamedState } from './caller-name-store.ts'
import { visibleTo } from './live-view.ts'

const at = (minute: number) => new Date(Date.UTC(2030, 0, 1, 0, minute)).toISOString()

function override(id: string, placedBy: string, about: Partial<PlacedOverride> = {}) {
  const window = { from: at(0), to: at(60), value: 20 }
  const placed = { reqId: `req_${id}`, placedBy, placedByName: `Name of ${placedBy}`, state: 'active' as const }
  return { id, datapointId: 'dp', ...window, ...placed, ...about }
}

const hold = (about: Partial<Hold> = {}): Hold => ({
  ...{ datapointId: 'dp', state: 'holding', by: 'demand-response', value: 20, overrideId: 'own', until: at(60) },
  ...{ next: { by: 'plain', value: 5 }, beneath: { by: 'plain', value: 5 }, trouble: null, troubleReason: null },
  ...about,
})

const stateOf = (holds: readonly Hold[], overrides: NamedState['overrides'] = []): NamedState => ({
  ...{ at: at(0), clockSuspect: false, connections: [], holds, overrides },
  notes: { plain: { dp: { raw: 5 } }, overrides: {} },
})
const seenByKey = (state: NamedState) => visibleTo('key:key_1', state)

describe('a key sees', () => {
  test('its own overrides with their holds, and those of nobody else', () => {
    const [own, theirs] = [override('own', 'key_1'), override('theirs', 'key_2', { datapointId: 'other' })]
    const held = [hold(), hold({ datapointId: 'other', overrideId: 'theirs' })]
    const seen = seenByKey(stateOf(held, [own, theirs]))
    expect(seen).toEqual({
      ...{ at: at(0), clockSuspect: false, connections: [] },
      holds: [hold(), { datapointId: 'other', by: 'demand-response' }],
      overrides: [own],
    })
  })

  test.each<[string, Partial<Hold>]>([
    ['an override of another key', { overrideId: 'theirs' }],
    ['an override that it does not know', { overrideId: 'unknown' }],
    ['peak shaving', { by: 'peak-shaving', overrideId: null, until: null }],
    [
      'a release',
      { by: 'plain', state: 'releasing', overrideId: null, trouble: 'write-failed', troubleReason: 'no route' },
    ],
  ])('of %s only that it holds the datapoint', (_what, about) => {
    const theirs = override('theirs', 'key_2', { state: 'queued' })
    const { holds, overrides } = seenByKey(stateOf([hold(about)], [theirs]))
    expect(holds).toEqual([{ datapointId: 'dp', by: about.by ?? 'demand-response' }])
    expect(overrides).toEqual([])
  })

  test('when its own override ends, not when one of others begins', () => {
    const overrides = [
      override('own', 'key_1'),
      override('later', 'key_1', { from: at(40), state: 'queued' }),
      override('theirs', 'key_2', { from: at(30), state: 'queued' }),
    ]
    const untilOf = (until: string) => seenByKey(stateOf([hold({ until })], overrides)).holds[0]
    expect(untilOf(at(30))).toMatchObject({ until: at(60) })
    expect(untilOf(at(40))).toMatchObject({ until: at(40) })
  })

  test('which writer is next, without the value that it wants', () => {
    const writers = { next: { by: 'demand-response', value: 30 }, beneath: { by: 'peak-shaving', value: 8 } } as const
    const { holds } = seenByKey(stateOf([hold(writers)], [override('own', 'key_1')]))
    expect(holds).toMatchObject([
      { next: { by: 'demand-response', value: null }, beneath: { by: 'peak-shaving', value: null } },
    ])
  })

  test('no field that this version does not know', () => {
    const later = { ...stateOf([]), plans: ['theirs'] }
    expect(JSON.stringify(seenByKey(later))).not.toContain('theirs')
  })

  test('the state of an earlier controller, which says less of a hold', () => {
    const { next: _next, beneath: _beneath, ...earlier } = hold()
    const { holds } = seenByKey(stateOf([earlier as Hold], [override('own', 'key_1')]))
    expect(holds).toMatchObject([{ overrideId: 'own', value: 20 }])
  })
})

describe('a power limit', () => {
  const limit = (id: string, placedBy: string) => ({
    ...{ id, direction: 'import', kw: 60, from: at(0), to: at(60), averagingSeconds: 900, reqId: `req_${id}` },
    ...{ placedBy, placedByName: `Name of ${placedBy}`, state: 'active' },
  })
  const [own, theirs] = [limit('own', 'key_1'), limit('theirs', 'user:usr_1')]
  const state = {
    ...stateOf([]),
    powerLimit: {
      ...{ meterId: 'meter', state: 'limited', importKw: 60, exportKw: null, meterKw: 50, meanKw: 55, moved: [] },
      limits: [own, theirs],
    },
  } as unknown as NamedState
  const hidden = { id: null, reqId: null, placedBy: null, placedByName: null }

  test('is seen whole by those who manage the site', () => {
    expect(visibleTo('all', state).powerLimit?.limits).toEqual([own, theirs])
  })

  test('is seen by others without who placed it', () => {
    const { powerLimit } = visibleTo('none', state)
    expect(powerLimit).toMatchObject({ state: 'limited', importKw: 60, meanKw: 55 })
    expect(powerLimit?.limits).toEqual([
      { ...own, ...hidden },
      { ...theirs, ...hidden },
    ])
    expect(seenByKey(state).powerLimit?.limits).toEqual([own, { ...theirs, ...hidden }])
  })
})
