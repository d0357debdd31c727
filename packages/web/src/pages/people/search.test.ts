import { expect, test } from 'vitest'
import { matching } from './search.ts'

const PEOPLE = [
  { email: 'mari@example.ee', name: 'Mari Õunapuu' },
  { email: 'fixer@example.ee', name: null },
]
const found = (query: string) => matching(PEOPLE, query, ({ email, name }) => [email, name]).map(({ email }) => email)

test('every word must occur somewhere, whatever the case', () => {
  expect(found('õUNA mari')).toEqual(['mari@example.ee'])
  expect(found('mari fixer')).toEqual([])
  expect(found('EXAMPLE.ee')).toEqual(['mari@example.ee', 'fixer@example.ee'])
})

test('nothing that is looked for is found in all', () => expect(found('  ')).toHaveLength(2))
