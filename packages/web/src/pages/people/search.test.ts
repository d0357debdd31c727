import { expect, test } from 'vitest'
import { matching } from './search.tsx'

const PEOPLE = [
  { email: 'mari@example.ee', name: 'Mari Õunapuu' },
  { email: 'fixer@example.ee', name: null },
]
const found = (query: string) => matching(PEOPLE, query, ({ email, name }) => [email, name]).map(({ email }) => email)

test('finds items that contain every word, in any case', () => {
  expect(found('õUNA mari')).toEqual(['mari@example.ee'])
  expect(found('mari fixer')).toEqual([])
  expect(found('EXAMPLE.ee')).toEqual(['mari@example.ee', 'fixer@example.ee'])
})

test('finds everything with an empty query', () => expect(found('  ')).toHaveLength(2))
