import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, test } from 'vitest'
import { type ByteSource, bytesSource, openFileSource } from './byte-source.ts'

const SHORTER = 'The package is not a valid .fpl archive: the file became shorter while it was read'

function read(source: ByteSource, position: number, length: number): string {
  const target = Buffer.alloc(length)
  source.read(target, position)
  return target.toString()
}

test('a file and bytes in memory can be read at any position', () => {
  const path = join(temporaryFolder(), 'site.fpl')
  writeFileSync(path, 'hello, world')
  const file = openFileSource(path)
  for (const source of [file, bytesSource(Buffer.from('hello, world'))]) {
    expect(source.size).toBe(12)
    expect(read(source, 7, 5)).toBe('world')
    expect(read(source, 0, 12)).toBe('hello, world')
    expect(read(source, 12, 0)).toBe('')
    expect(() => read(source, 8, 5)).toThrow(SHORTER)
  }
  file.close()
})

test('a file that shrinks while it is read is rejected', () => {
  const path = join(temporaryFolder(), 'site.fpl')
  writeFileSync(path, 'hello, world')
  const source = openFileSource(path)
  truncateSync(path, 6)
  expect(() => read(source, 0, 12)).toThrow(SHORTER)
  source.close()
})

test('a missing file is a system error, not a rejected package', () => {
  expect(() => openFileSource(join(temporaryFolder(), 'none.fpl'))).toThrow(expect.objectContaining({ code: 'ENOENT' }))
})
