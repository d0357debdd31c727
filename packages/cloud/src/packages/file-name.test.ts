import { describe, expect, test } from 'vitest'
import { readFileName } from './file-name.ts'

describe('the name of a package', () => {
  test.each(['a.fpl', 'A (1) _-.x.FPL', 'äöõüÄÖÕÜ 2026.fpl', `${'x'.repeat(251)}.fpl`])('may be %s', (name) => {
    expect(readFileName(name)).toBe(name)
  })

  test('is kept with its letters composed', () => {
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
  ])('may not be %j, and the field is named', (name) => {
    expect(() => readFileName(name)).toThrow(
      expect.objectContaining({ kind: 'invalid', field: 'filename', message: expect.stringMatching(/^filename m/) }),
    )
  })
})
