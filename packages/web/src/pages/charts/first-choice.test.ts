import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { expect, test } from 'vitest'
import { firstChoice } from './first-choice.ts'

const datapoint = (id: string, analyticsInterval = 60, tags: string[] = []) => ({
  id,
  name: id,
  accessType: 'READ',
  analyticsInterval,
  tags,
})
const devices = (...datapoints: ReturnType<typeof datapoint>[]) => [
  { id: 'd', name: 'D', systems: [{ connections: [{ name: 'C', datapoints }] }] as unknown as TechnicalSystem[] },
]
const all = devices(datapoint('off', 0), datapoint('a'), datapoint('b'), datapoint('grid', 60, ['site.power']))
const nothing = { held: [], viewed: [] }

test('a chart begins with what is held, else with what was looked at last, as far as it is commissioned', () => {
  expect(firstChoice(all, { held: ['d/a'], viewed: ['d/b'] })).toEqual(['d/a'])
  expect(firstChoice(all, { held: ['d/gone'], viewed: ['d/b', 'd/off'] })).toEqual(['d/b', 'd/off'])
})

test('else with the main measurements, else with the first archived datapoints', () => {
  expect(firstChoice(all, nothing)).toEqual(['d/grid'])
  expect(
    firstChoice(devices(datapoint('off', 0), ...['a', 'b', 'c', 'e', 'f'].map((id) => datapoint(id))), nothing),
  ).toEqual(['d/a', 'd/b', 'd/c', 'd/e'])
  expect(firstChoice(devices(datapoint('off', 0)), nothing)).toEqual([])
})
