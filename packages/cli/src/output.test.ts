import { describe, expect, test, vi } from 'vitest'
import { print, table } from './output.ts'

test('a table escapes terminal control characters', () => {
  expect(table(['NAME'], [['\u001b[2JPump\n2']], 'none')).toBe('NAME\n\\u001b[2JPump\\n2')
})

describe('a table', () => {
  test('has columns as wide as their widest cell, and no trailing spaces', () => {
    const rows = [
      ['org_1', 'Demo organization', ''],
      ['organization_2', 'B', 'revoked'],
    ]
    expect(table(['ID', 'NAME', 'STATE'], rows, 'none')).toBe(
      [
        'ID              NAME               STATE',
        'org_1           Demo organization',
        'organization_2  B                  revoked',
      ].join('\n'),
    )
  })

  test('without rows is a sentence', () => {
    expect(table(['ID'], [], 'no sites yet: plantroom site add NAME')).toBe('no sites yet: plantroom site add NAME')
  })

  test('may have very many rows', () => {
    const rows = Array.from({ length: 200_000 }, (_, index) => [`dp_${index}`])
    expect(table(['ID'], rows, '').split('\n')).toHaveLength(200_001)
  })
})

describe('a result', () => {
  test.each([
    [true, '{"id":"org_1"}'],
    [false, 'organization org_1'],
    [undefined, 'organization org_1'],
  ])('is printed once, as JSON or as text (--json: %s)', (json, expected) => {
    const line = vi.spyOn(console, 'log').mockImplementation(() => {})
    print(json, { id: 'org_1' }, () => 'organization org_1')
    expect(line.mock.calls).toEqual([[expected]])
    line.mockRestore()
  })
})
