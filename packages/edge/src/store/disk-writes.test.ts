import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, test } from 'vitest'
import { writtenToDisk } from './disk-writes.ts'

test('reads how many bytes were written to disks', () => {
  const path = join(temporaryFolder(), 'io')
  writeFileSync(path, 'rchar: 5\nwchar: 323934931\nread_bytes: 7\nwrite_bytes: 323932160\ncancelled_write_bytes: 0\n')
  expect(writtenToDisk(path)).toBe(323_932_160)
})

test('does not know it where the system does not count', () => {
  const path = join(temporaryFolder(), 'io')
  expect(writtenToDisk(path)).toBeUndefined()
  writeFileSync(path, 'something else')
  expect(writtenToDisk(path)).toBeUndefined()
})
