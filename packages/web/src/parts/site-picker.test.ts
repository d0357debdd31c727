import { expect, test } from 'vitest'
import { countTags, withoutTags } from './site-picker.tsx'

const SITES = [
  { id: 's1', name: 'Mill', tags: ['north', 'schools'] },
  { id: 's2', name: 'Harbour', tags: ['north'] },
  { id: 's3', name: 'Depot', tags: [] },
]

test('tags are counted, in the order of their names', () => {
  expect([...countTags(SITES)]).toEqual([
    ['north', 2],
    ['schools', 1],
  ])
})

test('a tag that is chosen becomes its sites, each once', () => {
  expect(withoutTags(['s3', 'tag:north'], SITES)).toEqual(['s3', 's1', 's2'])
  expect(withoutTags(['s1', 'tag:schools'], SITES)).toEqual(['s1'])
  expect(withoutTags(['tag:unknown'], SITES)).toEqual([])
})
