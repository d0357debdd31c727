import { expect, test } from 'vitest'
import { mainMeasurements, powerFlow, sitePower } from './main-measurements.ts'

const datapoint = (id: string, tags: readonly string[] = []) => ({ id, tags })
const system = (datapoints: readonly ReturnType<typeof datapoint>[], meterId?: string) => ({
  connections: [{ datapoints }],
  peakShaving: meterId === undefined ? null : { meterId },
})

test('the power of a site is what is tagged as such, in all of its systems', () => {
  const systems = [
    system([datapoint('a', ['site.power']), datapoint('b')], 'b'),
    system([datapoint('c', ['x', 'site.power'])]),
  ]
  expect(sitePower(systems).map(({ id }) => id)).toEqual(['a', 'c'])
})

test('without a tag it is the meters of peak shaving and power limits; without those, nothing', () => {
  const both = { ...system([datapoint('a'), datapoint('b')], 'b'), powerLimit: { meterId: 'b' } }
  expect(sitePower([both]).map(({ id }) => id)).toEqual(['b'])
  expect(sitePower([{ ...both, peakShaving: null }]).map(({ id }) => id)).toEqual(['b'])
  expect(sitePower([system([datapoint('a')])])).toEqual([])
})

type Main = Parameters<typeof mainMeasurements>[0][number]['connections'][number]['datapoints'][number]
const measured = (id: string, changes: Partial<Main> = {}): Main => ({
  id,
  analyticsInterval: 60,
  accessType: 'READ',
  ...changes,
})
const mains = (...datapoints: Main[]) =>
  mainMeasurements([{ connections: [{ datapoints }], peakShaving: { meterId: 'meter' } }]).map(({ id }) => id)

test('the main measurements are those tagged as such, at most three, without the power', () => {
  const tags = ['site.main']
  expect(
    mains(measured('room', { kind: 'temperature' }), measured('meter', { tags }), measured('a', { tags })),
  ).toEqual(['a'])
  expect(mains(...['a', 'b', 'c', 'd'].map((id) => measured(id, { tags })))).toEqual(['a', 'b', 'c'])
})

test('without a tag they are archived measurements of state of charge and temperature, in turn', () => {
  const temperature = { kind: 'temperature' }
  expect(
    mains(
      measured('flow', { ...temperature, accessType: 'READ_WRITE' }),
      measured('unarchived', { ...temperature, analyticsInterval: 0 }),
      measured('room', temperature),
      measured('roof', temperature),
      measured('cellar', temperature),
      measured('battery', { kind: 'state-of-charge' }),
      measured('voltage', { kind: 'voltage' }),
    ),
  ).toEqual(['battery', 'room', 'roof'])
  expect(mains(measured('voltage'))).toEqual([])
})

test('the power flow has the meters of the grid and what is tagged as a part of it, if its unit is of power', () => {
  const point = (id: string, unit: string, ...tags: string[]) => ({ id, unit, tags })
  const datapoints = [
    point('meter', 'kW'),
    point('battery', 'W', 'site.storage'),
    point('sun', 'MW', 'site.generation'),
    point('boiler', 'kW', 'site.load'),
    point('room', '°C', 'site.load'),
    point('other', 'kW'),
  ]
  const flow = powerFlow([{ connections: [{ datapoints }], peakShaving: { meterId: 'meter' } }])
  expect(Object.values(flow).map((points) => points.map(({ id }) => id))).toEqual([
    ['meter'],
    ['battery'],
    ['sun'],
    ['boiler'],
  ])
})
