import { flawOfPackageName } from '@plantroom/fpl/package-name'
import { describe, expect, test } from 'vitest'
import { choiceOf, flawOf, isFileOf, suggestName } from './chosen-file.ts'

const file = (name: string, size = 1) => Object.defineProperty(new File(['x'], name), 'size', { value: size })

test('accepts a package with a valid name, in composed letters', () => {
  expect(choiceOf([file('u\u0308ks.fpl')], false)).toMatchObject({ kind: 'send', name: 'üks.fpl' })
})

test('suggests a valid name for an invalid one', () => {
  expect(choiceOf([file('šaht.fpl')], false)).toMatchObject({ kind: 'rename', suggested: 'saht.fpl' })
  expect(choiceOf([file('photo.png')], false)).toMatchObject({ kind: 'rename', suggested: undefined })
})

test('leads the export of another system to its conversion', () => {
  for (const name of ['a.csv', 'A.XLSX', 'a.json', 'a.ndjson', 'a.xml', 'a.txt'])
    expect(choiceOf([file(name)], false)).toMatchObject({ kind: 'convert' })
  for (const name of ['a.zip', 'a.fpl.txt', 'a.zip.txt'])
    expect(choiceOf([file(name)], false)).toMatchObject({ kind: 'rename', suggested: 'a.fpl' })
})

test('refuses folders, several files and files above 5 GB, with the reason', () => {
  expect(choiceOf([file('site')], true)).toMatchObject({ kind: 'refuse', reason: expect.stringContaining('folder') })
  expect(choiceOf([file('a.fpl'), file('b.fpl')], false)).toMatchObject({ kind: 'refuse' })
  expect(choiceOf([file('a.fpl', 5e9)], false)).toMatchObject({ kind: 'send' })
  expect(choiceOf([file('a.fpl', 5e9 + 1)], false)).toMatchObject({
    kind: 'refuse',
    reason: expect.stringContaining('5.0 GB'),
  })
})

test('ignores an empty choice', () => expect(choiceOf([], false)).toBeUndefined())

const NAMES = [
  'site.fpl',
  'SITE.FPL',
  'Põhja maja (1)_v2.0-a.fpl',
  'u\u0308ks.fpl',
  '.fpl',
  'site.zip',
  'site',
  '',
  'a/b.fpl',
  'a\\b.fpl',
  'šaht & žurnaal.fpl',
  'дом.fpl',
  '🏠.fpl',
  '🏠',
  'é.fpl.zip',
  `${'a'.repeat(251)}.fpl`,
  `${'a'.repeat(252)}.fpl`,
  'tab\there.fpl',
  'line\nbreak.fpl',
  '.. .fpl',
]

describe('the name of a package', () => {
  test.each(NAMES)('%j is valid if the service accepts it', (name) => {
    expect(flawOf(name) === undefined).toBe(flawOfPackageName(name) === undefined)
  })

  test('is rejected for a reason', () => {
    expect(['a.zip', '.fpl', `${'a'.repeat(300)}.fpl`, 'a&b.fpl'].map(flawOf)).toEqual([
      'ending',
      'nothing-before',
      'too-long',
      'characters',
    ])
  })
})

describe('a suggested name', () => {
  test.each(NAMES)('for %j is accepted by the service', (name) => {
    const suggested = suggestName(name)
    expect(suggested && flawOfPackageName(suggested)).toBeUndefined()
    expect(suggested).toBeDefined()
  })

  test.each([
    ['šaht & žurnaal.fpl', 'saht - zurnaal.fpl'],
    ['Põhja maja.zip', 'Põhja maja.fpl'],
    ['site.fpl.zip', 'site.fpl'],
    ['export', 'export.fpl'],
    ['C:\\fakepath\\site#1.fpl', 'site-1.fpl'],
    ['дом.fpl', 'package.fpl'],
    ['../../etc/passwd.fpl', 'passwd.fpl'],
  ])('for %j is %j', (name, suggested) => expect(suggestName(name)).toBe(suggested))

  test('is not offered for files that are no archive', () => {
    expect(['report.pdf', 'photo.jpeg', 'manifest.json'].map(suggestName)).toEqual([undefined, undefined, undefined])
  })
})

test('the file of an unfinished upload is known by its name and size', () => {
  const upload = { filename: 'Mai s.fpl', size: 5 }
  const file = (name: string, content = '12345') => new File([content], name)
  expect(isFileOf(upload, file('Mai s.fpl'))).toBe(true)
  expect(isFileOf(upload, file('Mai š.fpl'))).toBe(true)
  expect(isFileOf(upload, file('Mai s.fpl', '1234'))).toBe(false)
  expect(isFileOf(upload, file('June.fpl'))).toBe(false)
})
