import { describe, expect, test } from 'vitest'
import type { CommissioningFile } from './file.ts'
import { datapointsByReference } from './names.ts'

/** Where a reference leads, in a file of connections with the datapoints named. */
function leadsTo(reference: string, connections: readonly (readonly [string, ...string[]])[]): string[] {
  const file: CommissioningFile = {
    technicalSystem: 'Roof',
    connections: connections.map(([name, ...datapoints]) => ({
      name,
      protocol: 'mqtt',
      settings: {},
      datapoints: datapoints.map((datapoint) => ({ name: datapoint, accessType: 'READ', data: {} })),
    })),
  }
  return datapointsByReference(file)(reference).map(({ path }) => path)
}

const [FIRST, SECOND] = ['connections[0].datapoints[0]', 'connections[1].datapoints[0]']

describe('a reference to a datapoint', () => {
  test('is its name, with or without the name of its connection', () => {
    const file = [['Inverter', 'Power', 'State']] as const
    expect(leadsTo('Power', file)).toEqual([FIRST])
    expect(leadsTo('Inverter/Power', file)).toEqual([FIRST])
  })

  test.each(['', 'power', ' Power', 'Power ', 'Inverter', 'Inverter/', '/Power', 'Meter/Power', 'constructor'])(
    'that is not just that leads nowhere: "%s"',
    (reference) => {
      expect(leadsTo(reference, [['Inverter', 'Power']])).toEqual([])
    },
  )

  test('finds both datapoints of one name, and one of them with its connection', () => {
    const file = [
      ['Inverter', 'Power'],
      ['Meter', 'Power'],
    ] as const
    expect(leadsTo('Power', file)).toEqual([FIRST, SECOND])
    expect(leadsTo('Meter/Power', file)).toEqual([SECOND])
  })

  test('with a slash finds everything it can mean', () => {
    const file = [
      ['A', 'B'],
      ['C', 'A/B'],
    ] as const
    expect(leadsTo('A/B', file)).toEqual([FIRST, SECOND])
    expect(leadsTo('C/A/B', file)).toEqual([SECOND])
    expect(
      leadsTo('A/B/C', [
        ['A', 'B/C'],
        ['A/B', 'C'],
      ]),
    ).toEqual([FIRST, SECOND])
  })

  test('to a duplicate name finds the first', () => {
    expect(leadsTo('Power', [['Inverter', 'Power', 'Power']])).toEqual([FIRST])
    expect(
      leadsTo('Power', [
        ['Inverter', 'Power'],
        ['Inverter', 'Power'],
      ]),
    ).toEqual([FIRST])
  })
})
