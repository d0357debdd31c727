import { expect, test } from 'vitest'
import { sitePower } from './main-measurements.ts'

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

test('without a tag it is the meters of peak shaving; without those, nothing', () => {
  expect(sitePower([system([datapoint('a'), datapoint('b')], 'b')]).map(({ id }) => id)).toEqual(['b'])
  expect(sitePower([system([datapoint('a')])])).toEqual([])
})
