import { describe, expect, test } from 'vitest'
import { BOUNDS } from '../limits.ts'
import { PackageRefused } from '../refusal.ts'
import { createTally } from './tally.ts'

const hundredMegabytes = new Uint8Array(100e6)
const oneByte = new Uint8Array(1)
const times = (count: number, action: (index: number) => void) => {
  for (let index = 0; index < count; index += 1) action(index)
}

describe('the writer', () => {
  test('accepts a file of 100 MB and stops at the next byte', () => {
    const tally = createTally()
    tally.open('attachments/a')
    tally.content(hundredMegabytes)
    expect(() => tally.content(oneByte)).toThrow(
      new Error('The package cannot be written: attachments/a: the file exceeds 100 MB'),
    )
  })

  test('accepts 10 GB in total and stops at the next byte', () => {
    const tally = createTally()
    times(100, (index) => {
      tally.open(`attachments/${index}`)
      tally.content(hundredMegabytes)
    })
    tally.open('attachments/one-more')
    expect(() => tally.content(oneByte)).toThrow('the files would exceed 10 GB in total')
  })

  test('accepts 50,000 files and no more', () => {
    const tally = createTally()
    times(50_000, (index) => tally.open(`attachments/${index}`))
    expect(() => tally.open('attachments/one-more')).toThrow('the package would have more than 50,000 files')
  })

  test('stops before the package, including its directory, exceeds 5 GB', () => {
    const tally = createTally()
    times(49, () => tally.written(hundredMegabytes))
    tally.directory(20e6)
    expect(() => tally.written(hundredMegabytes.subarray(0, 80e6))).toThrow('the package would exceed 5 GB')
  })

  test('stops before the directory exceeds what a reader accepts', () => {
    const tally = createTally()
    tally.directory(BOUNDS.directoryBytes)
    expect(() => tally.directory(1)).toThrow('the directory would be too large')
  })

  test.each([
    ['', 'the name is empty'],
    ['/attachments/a', 'the name is an absolute path'],
    ['attachments/../a', 'the name has a .. segment'],
    ['attachments\\a', 'the name has a backslash'],
    ['attachments//a', 'the name has an empty segment'],
    ['attachments/a\n', 'the name has a control character'],
    ['attachments/', 'the name ends in a slash, as for a folder'],
    ['attachments/\ud800', 'the name is not valid Unicode'],
    [`attachments/${'a'.repeat(65_535)}`, 'the name is too long'],
  ])('rejects a file name that a reader would reject: %#', (path, rule) => {
    expect(() => createTally().open(path)).toThrow(
      new Error(`The package cannot be written: ${path.slice(0, 100)}: ${rule}`),
    )
  })

  test.each([
    ['attachments/a', 'attachments/a'],
    ['attachments/a', 'attachments/A'],
    ['attachments/õ', 'attachments/õ'.normalize('NFD')],
  ])('rejects a path it has already written, in any case and normalization form: %s and %s', (one, other) => {
    const tally = createTally()
    tally.open(one)
    expect(() => tally.open(other)).toThrow(`${other}: the path is used twice`)
  })

  test('rejects a file that is also a folder of another', () => {
    const tally = createTally()
    for (const path of ['attachments/a', 'attachments/a/b']) tally.open(path)
    expect(() => tally.close()).toThrow(PackageRefused)
  })
})
