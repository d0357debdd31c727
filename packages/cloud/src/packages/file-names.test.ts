import { flawOfPackageName } from '@plantroom/fpl/package-name'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exportFileName, readFileName } from './file-names.ts'

describe('readFileName', () => {
  test.each(['a.fpl', 'A (1) _-.x.FPL', 'äöõüÄÖÕÜ 2026.fpl', `${'x'.repeat(251)}.fpl`])('accepts %s', (name) => {
    expect(readFileName(name)).toBe(name)
  })

  test('composes letters', () => {
    expect(readFileName('töö.fpl'.normalize('NFD'))).toBe('töö.fpl')
  })

  test.each([
    '',
    '.fpl',
    'a.zip',
    'a/b.fpl',
    'a\\b.fpl',
    'š.fpl',
    'a\0.fpl',
    'a\n.fpl',
    'a.fpl\n',
    `${'x'.repeat(252)}.fpl`,
  ])('rejects %j, naming the field', (name) => {
    expect(() => readFileName(name)).toThrow(
      expect.objectContaining({ kind: 'invalid', field: 'filename', message: expect.stringMatching(/^filename m/) }),
    )
  })
})

const AT = Date.UTC(2026, 4, 1, 23, 59)

test.each([
  ['Õunaaia 3', 'Õunaaia 3 2026-05-01.fpl'],
  ['Õunaaia'.normalize('NFD'), 'Õunaaia 2026-05-01.fpl'],
  ['Main / East: "A" \\ ..', 'Main East A 2026-05-01.fpl'],
  ['../../etc/passwd', 'etc passwd 2026-05-01.fpl'],
  ['Дом', 'site 2026-05-01.fpl'],
  ['', 'site 2026-05-01.fpl'],
  ['x'.repeat(255), `${'x'.repeat(100)} 2026-05-01.fpl`],
])('exportFileName: the package of site %j is called %j', (site, name) => {
  expect(exportFileName(site, AT)).toBe(name)
})

test('exportFileName returns a valid upload name for any site name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (site) => {
      expect(flawOfPackageName(exportFileName(site, AT))).toBeUndefined()
    }),
  )
})
