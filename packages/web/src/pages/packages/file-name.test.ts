import { flawOfPackageName } from '@plantroom/fpl/package-name'
import { describe, expect, test } from 'vitest'
import { flawOf, mend } from './file-name.ts'

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
  test.each(NAMES)('%j is judged as the service judges it', (name) => {
    expect(flawOf(name) === undefined).toBe(flawOfPackageName(name) === undefined)
  })

  test('is told what is wrong with it', () => {
    expect(['a.zip', '.fpl', `${'a'.repeat(300)}.fpl`, 'a&b.fpl'].map(flawOf)).toEqual([
      'ending',
      'nothing-before',
      'too-long',
      'characters',
    ])
  })
})

describe('a mended name', () => {
  test.each(NAMES)('of %j is one that the service takes', (name) => {
    const mended = mend(name)
    expect(mended && flawOfPackageName(mended)).toBeUndefined()
    expect(mended).toBeDefined()
  })

  test.each([
    ['šaht & žurnaal.fpl', 'saht - zurnaal.fpl'],
    ['Põhja maja.zip', 'Põhja maja.fpl'],
    ['site.fpl.zip', 'site.fpl'],
    ['export', 'export.fpl'],
    ['C:\\fakepath\\site#1.fpl', 'site-1.fpl'],
    ['дом.fpl', 'package.fpl'],
    ['../../etc/passwd.fpl', 'passwd.fpl'],
  ])('of %j is %j', (name, mended) => expect(mend(name)).toBe(mended))

  test('is not offered for what is no archive by its name', () => {
    expect(['report.pdf', 'photo.jpeg', 'manifest.json'].map(mend)).toEqual([undefined, undefined, undefined])
  })
})
