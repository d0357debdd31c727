import { expect, test } from 'vitest'
import { attachmentNames, declaredType } from './attachment-name.ts'

test.each([
  ['photo.jpg', 'photo.jpg'],
  ['Küte õues.pdf', 'Küte õues.pdf'],
  ['C:\\Users\\mari\\tap.png', 'tap.png'],
  ['../../etc/passwd', 'passwd'],
  ['a..b.txt', 'a.b.txt'],
  ['..', 'file'],
  ['', 'file'],
  ['in\u202evoice\n.exe', 'invoice.exe'],
  ['\ud800x', '\ufffdx'],
])('%j becomes %j, which a package can have', (given, name) => expect(attachmentNames([given])).toEqual([name]))

test('equal names get a number, because a package has each name once', () => {
  const given = ['image.jpg', 'image.jpg', 'image.jpg', 'image (2).jpg', 'notes', 'notes']
  expect(attachmentNames(given)).toEqual([
    'image.jpg',
    'image (2).jpg',
    'image (3).jpg',
    'image (2) (2).jpg',
    'notes',
    'notes (2)',
  ])
  const long = `${'x'.repeat(300)}.jpg`
  const names = attachmentNames([long, long])
  expect([new Set(names).size, Math.max(...names.map((name) => name.length))]).toEqual([2, 255])
})

test('a declared type is kept only when it is one', () => {
  expect(['image/PNG', 'text/plain; charset=utf-8', 'nonsense', '', null].map(declaredType)).toEqual([
    'image/png',
    null,
    null,
    null,
    null,
  ])
})
