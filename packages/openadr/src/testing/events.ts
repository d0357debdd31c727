import type { Mapping } from '@plantroom/contract/openadr-mapping'
import type { Profile } from '@plantroom/contract/openadr-profile'
import { readMapping } from '../mapping/mapping.ts'
import { readEvent, type VtnEvent } from '../normal/events.ts'
import { know } from '../wanted/know.ts'
import type { KnownEvent } from '../wanted/known-event.ts'

export const NOON = Date.parse('2030-01-01T12:00:00Z')
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const time = (ms: number) => new Date(ms).toISOString()

/** An event as a VTN writes it, with one interval of an hour from noon unless said otherwise. */
export const given = (fields: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> => ({
  id: 'event-1',
  programID: 'program-1',
  createdDateTime: '2030-01-01T00:00:00Z',
  intervalPeriod: { start: time(NOON), duration: 'PT1H' },
  intervals: [interval(0, 10)],
  ...fields,
})
export const interval = (id: number, value: unknown, intervalPeriod?: unknown, type = 'DISPATCH_SETPOINT') => ({
  id,
  ...(intervalPeriod !== undefined && { intervalPeriod }),
  payloads: [{ type, values: [value] }],
})

export function read(fields: unknown): VtnEvent {
  const event = readEvent(fields)
  if ('problem' in event) throw new Error(event.problem)
  return event.value
}

export const known = (fields: Readonly<Record<string, unknown>> = {}, now = NOON, seed = 0): KnownEvent =>
  know(undefined, read(given(fields)), now, seed)

export function mapped(resources: unknown, profile: Profile, more = {}): Mapping {
  const mapping = readMapping({ resources, ...more }, profile)
  if ('problems' in mapping) throw new Error(JSON.stringify(mapping.problems))
  return mapping.mapping
}

/** A battery that is set, and a connection point whose import is limited. */
export const RESOURCES = [
  {
    resourceName: 'battery',
    rules: [
      { payload: 'DISPATCH_SETPOINT', datapointId: 'charge' },
      { payload: 'SIMPLE', datapointId: 'heat', table: { 0: 'release', 1: 15, 2: 10 } },
    ],
  },
  {
    resourceName: 'connection-point',
    rules: [
      { payload: 'IMPORT_CAPACITY_LIMIT', limit: { siteId: 'site', direction: 'import', averagingSeconds: 900 } },
    ],
  },
]
