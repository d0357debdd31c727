import type { LiveDevice } from '@plantroom/contract/control-state'
import { describe, expect, test } from 'vitest'
import {
  afterEvent,
  afterState,
  deviceNow,
  type Freshness,
  freshnessOf,
  type LiveView,
  NOTHING_HEARD,
  onlineOf,
  rememberedView,
} from './live-view.ts'

const aState = (at: string): LiveDevice => ({ at, clockSuspect: false, connections: [], holds: [], overrides: [] })
const [EARLY, LATE] = [aState('2030-01-01T00:00:00.000Z'), aState('2030-01-01T00:10:00.000Z')]
const NOW = 1_000_000

const heard = (...events: [string, unknown, number?][]): LiveView =>
  afterState(
    events.reduce((view, [name, data, at = NOW]) => afterEvent(view, name, data, at), NOTHING_HEARD),
    'open',
  )

describe('the view of a controller', () => {
  test('is live while it answers', () => {
    const view = heard(['state', EARLY])
    expect(view).toMatchObject({ device: EARLY, receivedAt: NOW, isStored: false, isOffline: false })
    expect(freshnessOf(view, NOW + 2000)).toBe('live')
  })

  test('has the last known state and its age while it is offline', () => {
    const view = heard(['last-known', { ageMs: 180_000, state: EARLY }], ['offline', { message: 'no' }])
    expect(view).toMatchObject({ device: EARLY, receivedAt: NOW - 180_000, isStored: true, isOffline: true })
    expect(freshnessOf(view, NOW)).toBe('offline')
    expect(deviceNow(view, NOW)).toBe(Date.parse(EARLY.at) + 180_000)
  })

  test('keeps what it saw itself, unless the controller has said something since', () => {
    const seen: [string, unknown, number?] = ['state', LATE, NOW - 2000]
    expect(heard(seen, ['last-known', { ageMs: 60_000, state: EARLY }]).device).toBe(LATE)
    expect(heard(['state', EARLY, NOW - 60_000], ['last-known', { ageMs: 1000, state: LATE }]).device).toBe(LATE)
    expect(heard(['last-known', { ageMs: 60_000, state: EARLY }], seen).device).toBe(LATE)
  })

  test('has what the browser remembers until the first answer, and calls it live never', () => {
    const remembered = rememberedView({ device: LATE, receivedAt: NOW - 1000 })
    expect(remembered.device).toBe(LATE)
    expect(freshnessOf(afterState(remembered, 'open'), NOW)).toBe('lost')
    expect(freshnessOf(afterState(afterEvent(remembered, 'state', EARLY, NOW), 'open'), NOW)).toBe('live')
    const offline = afterEvent(
      afterEvent(remembered, 'last-known', { ageMs: 60_000, state: EARLY }, NOW),
      'offline',
      {},
      NOW,
    )
    expect(offline).toMatchObject({ device: EARLY, isOffline: true })
  })

  test('is not live when the service is silent, when the controller is slow, or before it was heard', () => {
    const view = heard(['state', EARLY])
    expect(freshnessOf(afterState(view, 'lost'), NOW)).toBe('lost')
    expect(freshnessOf(view, NOW + 15_001)).toBe('slow')
    expect(freshnessOf(heard(['last-known', { ageMs: 1000, state: EARLY }]), NOW)).toBe('slow')
    expect(freshnessOf(NOTHING_HEARD, NOW)).toBe('waiting')
  })

  test('has the time of the controller, whatever the clock of the browser says', () => {
    expect(deviceNow(heard(['state', EARLY]), NOW + 5000)).toBe(Date.parse(EARLY.at) + 5000)
    expect(deviceNow(NOTHING_HEARD, NOW)).toBe(NOW)
  })
})

describe('a controller counts as', () => {
  test.each<[string, Freshness, boolean]>([
    ['online', 'live', true],
    // The list of controllers may be older than its answer.
    ['online', 'live', false],
    ['offline', 'offline', true],
    ['offline', 'waiting', false],
    ['offline', 'slow', false],
    // Linked to the broker, and nothing heard: it may be dead.
    ['noAnswerYet', 'waiting', true],
    ['noAnswerYet', 'slow', true],
    ['unknown', 'lost', true],
    ['unknown', 'lost', false],
  ])('%s while its state is %s and its link %s', (online, freshness, isLinked) => {
    expect(onlineOf(freshness, isLinked)).toBe(online)
  })
})
