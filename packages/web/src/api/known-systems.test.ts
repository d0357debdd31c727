import type { Hold, LiveDevice } from '@plantroom/contract/control-state'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { describe, expect, test } from 'vitest'
import { unknownIds } from './known-systems.ts'

const SYSTEMS = [
  { id: 'room', name: 'Room', connections: [{ id: 'inverter', name: 'Inverter', datapoints: [{ id: 'charge' }] }] },
] as unknown as readonly TechnicalSystem[]

const live = (connectionIds: readonly string[], heldIds: readonly string[]) =>
  ({
    connections: connectionIds.map((connectionId) => ({ connectionId })),
    holds: heldIds.map((datapointId) => ({ datapointId }) as Hold),
    overrides: heldIds.map((datapointId) => ({ datapointId })),
  }) as unknown as LiveDevice

describe('what a controller mentions', () => {
  test('is known while nothing else was commissioned', () => {
    expect(unknownIds(SYSTEMS, live(['inverter'], ['charge']))).toEqual([])
    expect(unknownIds(SYSTEMS, undefined)).toEqual([])
  })

  test('may be a new connection, or a new datapoint of a known one', () => {
    expect(unknownIds(SYSTEMS, live(['inverter', 'meter'], ['charge', 'reserve']))).toEqual(['meter', 'reserve'])
  })
})
