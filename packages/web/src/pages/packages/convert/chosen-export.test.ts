import { expect, test } from 'vitest'
import { flawOfAttachments, flawOfFiles, mappingNameOf, packageNameOf } from './chosen-export.ts'

const file = (name: string, size = 10) => ({ name, size })

test('files that no converter reads are refused before the upload', () => {
  expect(flawOfFiles([file('a.CSV'), file('b.ndjson')])).toBeUndefined()
  expect(flawOfFiles([file('a.csv'), file('b.exe')])).toContain('b.exe')
  expect(flawOfFiles([file('a.csv', 6e9)])).toContain('6.0 GB')
  expect(flawOfFiles(Array.from({ length: 11 }, () => file('a.csv')))).toContain('10')
  expect(flawOfAttachments(file('a.zip'))).toBeUndefined()
  expect(flawOfAttachments(file('a.tar'))).toContain('a.tar')
})

test.each([
  ['Old system 2026.csv', 'Old system 2026.fpl'],
  ['šäü.tar.xlsx', 'säü.tar.fpl'],
  ['***.csv', 'package.fpl'],
])('%s becomes %s', (name, packageName) => {
  expect(packageNameOf(name)).toBe(packageName)
})

test('a mapping is kept under the name of the file', () => {
  expect(mappingNameOf('Old.csv')).toBe('Old')
  expect(mappingNameOf(`${'x'.repeat(200)}.csv`)).toHaveLength(100)
})
