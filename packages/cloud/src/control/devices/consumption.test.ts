import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { expect, test } from 'vitest'
import { withoutLabels } from './check-commissioning.ts'

test('a controller learns how to compute consumption, and no units', () => {
  const consumed = [
    { unit: 'W' },
    { unit: 'MWh', kind: 'energy' },
    { kind: 'energy' },
    { kind: 'power' },
    { unit: 'm³' },
    {},
  ]
  const datapoints = consumed.map((labels, index) =>
    aDatapoint({ id: `dp_${index}`, analyticsCalculateConsumption: true, ...labels }),
  )
  const sent = withoutLabels(
    aSystem('sys', [aConnection({ datapoints: [...datapoints, aDatapoint({ id: 'x', unit: 'kW' })] })]),
  )
  expect(sent.consumption).toEqual([
    { datapointId: 'dp_0', from: 'power', factor: 0.001 },
    { datapointId: 'dp_1', from: 'counter', factor: 1000 },
    { datapointId: 'dp_2', from: 'counter', factor: 1 },
    { datapointId: 'dp_3', from: 'power', factor: 1 },
  ])
  expect(JSON.stringify(sent)).not.toMatch(/"unit"|"kind"/)
})
