import { describe, expect, test } from 'vitest'
import { flawOfPackageName } from './package-name.ts'

describe('a package name', () => {
  test.each([
    'site.fpl',
    'SITE.FPL',
    'Sõpruse pst 5 (2026-03-01)_v1.2.fpl',
    'ÄÖÕÜäöõü.Fpl',
    'So\u0303pruse.fpl',
    `${'a'.repeat(251)}.fpl`,
  ])('may be %j', (name) => {
    expect(flawOfPackageName(name)).toBeUndefined()
  })

  test.each([
    ['site.zip', 'must end in .fpl'],
    ['fpl', 'must end in .fpl'],
    ['', 'must end in .fpl'],
    ['site.fpl\n', 'must end in .fpl'],
    ['site.fpl.zip', 'must end in .fpl'],
    ['.fpl', 'must have something before .fpl'],
    [`${'a'.repeat(252)}.fpl`, 'must be at most 255 characters'],
    ['šiauliai.fpl', 'may contain letters (also ä, ö, õ, ü), digits, spaces and _ - . ( )'],
    ['a/b.fpl', 'may contain letters (also ä, ö, õ, ü), digits, spaces and _ - . ( )'],
    ['a\\b.fpl', 'may contain letters (also ä, ö, õ, ü), digits, spaces and _ - . ( )'],
    ['a\tb.fpl', 'may contain letters (also ä, ö, õ, ü), digits, spaces and _ - . ( )'],
    ['a\nb.fpl', 'may contain letters (also ä, ö, õ, ü), digits, spaces and _ - . ( )'],
  ])('%j %s', (name, flaw) => {
    expect(flawOfPackageName(name)).toBe(flaw)
  })
})
