import type { Datapoint, TechnicalSystem } from '@plantroom/contract/datapoint'
import { describe, expect, test } from 'vitest'
import { describeLines, exampleOf, exampleValue } from './describe-lines.ts'

const point = (id: string, changes: Partial<Datapoint> = {}) =>
  ({ id, name: id, accessType: 'READ_WRITE', writeInputData: { min: 2, max: 9 }, ...changes }) as Datapoint
const about = { orgId: 'org_1', deviceId: 'dev_1', connectionId: 'con_1' }
const whats = (datapoint: Datapoint | undefined, apiKey?: string) =>
  describeLines({ ...about, datapoint }, { origin: 'https://p.example', apiKey }).map(({ what }) => what)

describe('the commands for a controller', () => {
  test('ask for the key first, unless it is known', () => {
    expect(whats(point('dp_1'))[0]).toBe('Enter your API key once')
    expect(whats(point('dp_1'), 'plr_1')).toEqual([
      'Export the datapoints of this connection',
      'Read the values of this connection',
      'Hold this datapoint at 2 for ten minutes',
      'Cancel that override',
    ])
  })

  test('only read without a datapoint to override', () => {
    expect(whats(undefined, 'plr_1')).toHaveLength(2)
  })

  test('hold it at a value that changes little', () => {
    expect(exampleValue(point('dp_1', { releaseValue: 5 }), 7)).toBe(7)
    expect(exampleValue(point('dp_1', { releaseValue: 5 }), null)).toBe(5)
    expect(exampleValue(point('dp_1', { writeInputData: { min: -50, max: 50 } }))).toBe(0)
    expect(exampleValue(point('dp_1', { writeInputData: { min: -50, max: -10 } }))).toBe(-10)
  })
})

test('examples use the first connection with a datapoint that can be overridden, and no register of a failsafe', () => {
  const connection = (id: string, datapoints: Datapoint[]) => ({ id, datapoints })
  const failsafes = [{ registerId: 'dp_2' }]
  const system = (...connections: object[]) => [{ connections, failsafes }] as unknown as TechnicalSystem[]
  const readOnly = connection('con_1', [point('dp_1', { accessType: 'READ' })])
  const register = connection('con_2', [point('dp_2')])
  const found = exampleOf(system(readOnly, register, connection('con_3', [point('dp_2'), point('dp_3')])))
  expect([found?.connection.id, found?.datapoint?.id]).toEqual(['con_3', 'dp_3'])
  expect(exampleOf(system(readOnly, register))).toEqual({ connection: readOnly, datapoint: undefined })
  expect(exampleOf([])).toBeUndefined()
})
