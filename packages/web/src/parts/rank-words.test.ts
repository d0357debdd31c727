import { expect, test } from 'vitest'
import { rankBy, ranked } from './rank-words.ts'

const ZONES = [
  'Floor 7, zone 0, setpoint 3',
  'Floor 3, zone 7',
  'Floor 7, zone 30',
  'Floor 7, zone 3',
  'Floor 17, zone 3',
]
const find = (search: string, names = ZONES, around = 'Heating') => {
  const rank = rankBy(search)
  return ranked(names, (name) => rank(name, around))
}

test('a name with the words in their order is first, then names with all of them as whole words', () => {
  expect(find('floor 7, zone 3')).toEqual([
    'Floor 7, zone 3',
    'Floor 7, zone 0, setpoint 3',
    'Floor 3, zone 7',
    'Floor 7, zone 30',
    'Floor 17, zone 3',
  ])
})

test('every word must be in the name or around it, as a part of a word too', () => {
  expect(find('heat flo 17')).toEqual(['Floor 17, zone 3'])
  expect(find('boiler')).toEqual([])
})

test('without words everything keeps its order', () => {
  expect(find(' , ')).toEqual(ZONES)
})
