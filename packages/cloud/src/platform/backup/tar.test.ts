import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { BLOCK, paddingOf, readTarHeader, tarHeader } from './tar.ts'

const MODIFIED_MS = Date.UTC(2030, 0, 1, 12, 30, 59, 999)
const long = (length: number) => `files/${'p'.repeat(60)}/${'x'.repeat(length - 67)}`

describe('the header of an entry', () => {
  test.each([
    ['backup.json', 0],
    ['files/a', 8 ** 11 - 1],
    ['x'.repeat(100), 1],
    [long(101), 513],
    [`${'p'.repeat(155)}/${'x'.repeat(100)}`, 1],
  ])('is read as it was written: %s', (name, size) => {
    const header = tarHeader({ name, size }, MODIFIED_MS)
    expect(header).toHaveLength(BLOCK)
    expect(readTarHeader(header)).toEqual({ name, size })
  })

  test('is what tar expects', () => {
    const path = join(temporaryFolder(), 'a.tar')
    const names = ['backup.json', long(120)]
    const entries = names.flatMap((name, index) => {
      const contents = Buffer.alloc(index + 1, 'x')
      return [tarHeader({ name, size: index + 1 }, MODIFIED_MS), contents, Buffer.alloc(paddingOf(index + 1))]
    })
    writeFileSync(path, Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)]))
    const listed = execFileSync('tar', ['--utc', '--full-time', '--numeric-owner', '-tvf', path], { encoding: 'utf8' })
    expect(
      listed
        .trim()
        .split('\n')
        .map((line) => line.replaceAll(/ +/g, ' ')),
    ).toEqual(names.map((name, index) => `-rw------- 0/0 ${index + 1} 2030-01-01 12:30:59 ${name}`))
  })

  test.each([
    ['a name without a place to cut', 'x'.repeat(101), 0, /is too long for a name in a backup/],
    ['a prefix that is too long', `${'p'.repeat(156)}/x${'x'.repeat(99)}`, 0, /is too long for a name in a backup/],
    [
      'more bytes than a header can say',
      'a',
      8 ** 11,
      /a has 8589934592 bytes, and a backup can have files of 8589934591/,
    ],
  ])('cannot have %s', (_what, name, size, message) => {
    expect(() => tarHeader({ name, size }, 0)).toThrow(message)
  })
})

describe('a block that is read', () => {
  const header = () => tarHeader({ name: 'files/a', size: 5 }, MODIFIED_MS)
  /** Changes a part of a header, and corrects its sum. */
  function changed(at: number, bytes: string): Buffer {
    const block = header()
    block.write(bytes, at, 'latin1')
    block.fill(' ', 148, 156)
    const sum = block.reduce((total, byte) => total + byte, 0)
    block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
    return block
  }

  test('is the end when it is all zeros', () => {
    expect(readTarHeader(Buffer.alloc(BLOCK))).toBe('end')
  })

  test('is a header with other values, too', () => {
    expect(readTarHeader(changed(0, 'files/b'))).toEqual({ name: 'files/b', size: 5 })
  })

  test.each([
    ['of another format', changed(257, 'gnutar')],
    ['of a folder', changed(156, '5')],
    ['without a size', changed(124, 'xxxxxxxxxxx\0')],
    ['of a negative size', changed(124, '-0000000001\0')],
  ])('is no header %s', (_what, block) => {
    expect(readTarHeader(block)).toBeUndefined()
  })

  test('is no header when one of its bytes was changed', () => {
    // The two after the sum are not read.
    const taken = [...header().keys()].filter((at) => {
      const block = header()
      block[at] = (block[at] ?? 0) ^ 1
      return readTarHeader(block) !== undefined
    })
    expect(taken).toEqual([154, 155])
  })
})

test('contents are padded to whole blocks', () => {
  expect([0, 1, 511, 512, 513].map(paddingOf)).toEqual([0, 511, 1, 0, 511])
})
