import type { Replacement } from '@plantroom/contract/api'
import { expect, test } from 'vitest'
import { describeReplacement, describeStatus } from './describe-replacement.ts'

const AT = '2030-01-01T12:00:00.000Z'
const point = { datapointId: 'dp', datapoint: 'Charge power' }
const NOTHING: Replacement = {
  ...{ status: 'none', requestedAt: null, finishedAt: null, problem: null, online: false, stateAt: AT },
  ...{ technicalSystems: [], overrides: [], limits: [], leftOut: [], releases: [], untouched: [], unknownOverrides: 0 },
}

test('says everything that a new controller does to the equipment', () => {
  const window = { ...point, value: 20, from: AT, to: AT, placedBy: 'key' }
  const lines = describeReplacement(
    {
      ...NOTHING,
      technicalSystems: [{ id: 'sys', name: 'Room', connections: 1, datapoints: 3 }],
      overrides: [
        { ...window, id: 'a', state: 'active' },
        { ...window, id: 'q', state: 'queued' },
      ],
      limits: [{ ...window, id: 'l', direction: 'import', kw: 60, state: 'active' }],
      leftOut: [{ ...point, id: 'x', reason: 'cancelled' }],
      releases: [
        { ...point, value: 10 },
        { ...point, value: null },
      ],
      untouched: [point],
      unknownOverrides: 2,
    },
    'UTC',
  )
  expect(lines).toHaveLength(12)
  expect(lines[0]).toContain('1 technical system')
  expect(lines[2]).toBe('2 overrides continue:')
  expect(lines[3]).toContain('Charge power at 20 until')
  expect(lines[4]).toContain('Charge power at 20 from')
  expect(lines[5]).toBe('1 power limit continues:')
  expect(lines[6]).toMatch(/^At most 60\skW from the grid, until 1 Jan/)
  expect(lines[7]).toBe('Charge power is set back to 10')
  expect(lines[8]).toContain('is not known: check the equipment')
  expect(lines.at(-1)).toContain('2 accepted overrides')
})

test('says why a new controller could not take over', () => {
  const waiting = { ...NOTHING, status: 'waiting', requestedAt: AT } as const
  expect(describeStatus(NOTHING, 'UTC')).toBeUndefined()
  expect(describeStatus(waiting, 'UTC')).toContain('a new controller is expected')
  expect(describeStatus({ ...waiting, problem: 'it is not empty' }, 'UTC')).toContain('it is not empty')
  expect(describeReplacement({ ...NOTHING, stateAt: null }, 'UTC')).toHaveLength(2)
})
