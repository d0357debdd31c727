import { expect, test } from 'vitest'
import { choiceOf } from './choice.ts'

const file = (name: string, size = 1) => Object.defineProperty(new File(['x'], name), 'size', { value: size })

test('a package of a good name is sent, with its letters composed', () => {
  expect(choiceOf([file('u\u0308ks.fpl')], false)).toMatchObject({ kind: 'send', name: 'üks.fpl' })
})

test('a name that is not allowed gets one that is', () => {
  expect(choiceOf([file('šaht.fpl')], false)).toMatchObject({ kind: 'rename', mended: 'saht.fpl' })
  expect(choiceOf([file('photo.png')], false)).toMatchObject({ kind: 'rename', mended: undefined })
})

test('folders, several files and files above 5 GB are refused in words', () => {
  expect(choiceOf([file('site')], true)).toMatchObject({ kind: 'refuse', reason: expect.stringContaining('folder') })
  expect(choiceOf([file('a.fpl'), file('b.fpl')], false)).toMatchObject({ kind: 'refuse' })
  expect(choiceOf([file('a.fpl', 5e9)], false)).toMatchObject({ kind: 'send' })
  expect(choiceOf([file('a.fpl', 5e9 + 1)], false)).toMatchObject({
    kind: 'refuse',
    reason: expect.stringContaining('5.0 GB'),
  })
})

test('nothing is nothing', () => expect(choiceOf([], false)).toBeUndefined())
