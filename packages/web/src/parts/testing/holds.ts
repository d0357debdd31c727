import type { Hold } from '@plantroom/contract/control-state'
import type { NamedOverride } from '../describe-hold.ts'

/** It is 12:00 UTC, 14:00 in Tallinn. */
export const NOW = Date.parse('2026-11-15T12:00:00.000Z')
export const minutes = (count: number) => new Date(NOW + count * 60_000).toISOString()

/** Held at 20 for another hour; at 5 before. */
export const aHold = (changes: Partial<Hold> = {}): Hold => ({
  datapointId: 'charge',
  state: 'holding',
  by: 'demand-response',
  value: 20,
  overrideId: 'w1',
  until: minutes(60),
  next: { by: 'plain', value: 5 },
  beneath: { by: 'plain', value: 5 },
  trouble: null,
  troubleReason: null,
  ...changes,
})

export const anOverride = (changes: Partial<NamedOverride> = {}): NamedOverride => ({
  id: 'w1',
  datapointId: 'charge',
  value: 20,
  from: minutes(-30),
  to: minutes(60),
  reqId: 'r1',
  placedBy: 'key-1',
  placedByName: 'Grid partner',
  state: 'active',
  ...changes,
})
