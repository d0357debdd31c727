import { describe, expect, test } from 'vitest'
import { mentionAt, mentionedIn, peopleFor, splitMentions, withMention } from './mentions.ts'

const person = (name: string, email = `${name.toLowerCase().replace(' ', '.')}@example.ee`) => ({
  userId: `usr_${name}`,
  name,
  email,
})
const PEOPLE = [person('Kati'), person('Kati Kask'), person('Jaan (night)'), person('õie'), person('Mari-Liis')]

describe('a mention that is being typed', () => {
  test.each([
    ['@', 1, ''],
    ['Hello @ka', 9, 'ka'],
    ['Hello @Kati Ka', 14, 'Kati Ka'],
    ['(@ka', 4, 'ka'],
  ])('is found in %j', (text, caret, query) => expect(mentionAt(text, caret)?.query).toBe(query))

  test.each([
    ['no at', 5],
    ['mari@example.ee', 15],
    ['@ka\nnext', 8],
    ['@ spaced', 8],
    [`@${'x'.repeat(41)}`, 42],
    ['@ka', 0],
  ])('is not found in %j', (text, caret) => expect(mentionAt(text, caret)).toBeUndefined())

  test('offers people by a word of their name or by address', () => {
    expect(peopleFor(PEOPLE, 'kas').map(({ name }) => name)).toEqual(['Kati Kask'])
    expect(peopleFor(PEOPLE, 'jaan').map(({ name }) => name)).toEqual(['Jaan (night)'])
    expect(peopleFor(PEOPLE, '')).toHaveLength(5)
  })

  test('is replaced by the name, with the cursor after it', () => {
    const query = mentionAt('Ask @ka about it', 7)
    expect(query && withMention('Ask @ka about it', query, 'Kati Kask')).toEqual({
      text: 'Ask @Kati Kask about it',
      caret: 14,
    })
    expect(withMention('@k', { from: 0, query: 'k' }, 'Kati')).toEqual({ text: '@Kati ', caret: 6 })
  })
})

test.each([
  ['@Kati Kask, please', ['Kati Kask']],
  ['@kati please', ['Kati']],
  ['@Katis and kati@Kati', []],
  ['@Mari-Liis?', ['Mari-Liis']],
  ['(@Jaan (night)) and @õie!', ['Jaan (night)', 'õie']],
])('%j mentions %j', (text, names) => expect(mentionedIn(text, PEOPLE).map(({ name }) => name)).toEqual(names))

test('a comment is split without losing a character', () => {
  const text = 'Hi @Kati Kask and @Kati.'
  const parts = splitMentions(text, PEOPLE)
  expect(parts.map((part) => part.mention)).toEqual([undefined, 'Kati Kask', undefined, 'Kati', undefined])
  expect(parts.map((part) => part.text).join('')).toBe(text)
  expect(splitMentions('', PEOPLE)).toEqual([{ text: '' }])
})
