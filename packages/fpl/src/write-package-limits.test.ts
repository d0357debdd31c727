import { describe, expect, test } from 'vitest'
import { BOUNDS } from './limits.ts'
import { PackageRefused } from './refusal.ts'
import { createTally } from './write-package-limits.ts'

const hundredMegabytes = new Uint8Array(100e6)
const oneByte = new Uint8Array(1)
const times = (count: number, action: (index: number) => void) => {
  for (let index = 0; index < count; index += 1) action(index)
}

describe('the writer', () => {
  test('takes a file of 100 MB, and stops at the byte after it', () => {
    const tally = createTally()
    tally.open('attachments/a')
    tally.content(hundredMegabytes)
    expect(() => tally.content(oneByte)).toThrow(
      new Error('The package cannot be written: attachments/a: the file exceeds 100 MB'),
    )
  })

  test('takes 10 GB in all, and stops at the byte after them', () => {
    const tally = createTally()
    times(100, (index) => {
      tally.open(`attachments/${index}`)
      tally.content(hundredMegabytes)
    })
    tally.open('attachments/one-more')
    expect(() => tally.content(oneByte)).toThrow('its files would exceed 10 GB in all')
  })

  test('takes 50,000 files, and no more', () => {
    const tally = createTally()
    times(50_000, (index) => tally.open(`attachments/${index}`))
    expect(() => tally.open('attachments/one-more')).toThrow('it would hold more than 50,000 files')
  })

  test('stops before the package exceeds 5 GB, its directory included', () => {
    const tally = createTally()
    times(49, () => tally.written(hundredMegabytes))
    tally.directory(20e6)
    expect(() => tally.written(hundredMegabytes.subarray(0, 80e6))).toThrow('the package would exceed 5 GB')
  })

  test('stops before the directory exceeds what a reader takes', () => {
    const tally = createTally()
    tally.directory(BOUNDS.directoryBytes)
    expect(() => tally.directory(1)).toThrow('its directory would be too large')
  })

  test.each([
    ['', 'the name is empty'],
    ['/attachments/a', 'the name is an absolute path'],
    ['attachments/../a', 'the name has a .. segment'],
    ['attachments\\a', 'the name has a backslash'],
    ['attachments//a', 'the name has an empty segment'],
    ['attachments/a\n', 'the name has a control character'],
    ['attachments/', 'the name is that of a folder'],
    ['attachments/\ud800', 'the name is not valid Unicode'],
    [`attachments/${'a'.repeat(65_535)}`, 'the name is too long'],
  ])('refuses a file that a reader would refuse for its name: %#', (path, rule) => {
    expect(() => createTally().open(path)).toThrow(
      new Error(`The package cannot be written: ${path.slice(0, 100)}: ${rule}`),
    )
  })

  test.each([
    ['attachments/a', 'attachments/a'],
    ['attachments/a', 'attachments/A'],
    ['attachments/õ', 'attachments/õ'.normalize('NFD')],
  ])('refuses a path that it has written, in whichever case and form: %s and %s', (one, other) => {
    const tally = createTally()
    tally.open(one)
    expect(() => tally.open(other)).toThrow(`${other}: there are two of this path`)
  })

  test('refuses a file that is also a folder of another', () => {
    const tally = createTally()
    for (const path of ['attachments/a', 'attachments/a/b']) tally.open(path)
    expect(() => tally.close()).toThrow(PackageRefused)
  })
})
