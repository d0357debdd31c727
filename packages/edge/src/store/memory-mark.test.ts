import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { asideIn, moveAside } from './aside.ts'
import { openMark, readMark } from './memory-mark.ts'

describe('the mark of a journal', () => {
  test('is what was written last, also with fewer digits', () => {
    const folder = temporaryFolder()
    expect(readMark(folder)).toBeUndefined()
    const mark = openMark(folder)
    mark.write({ id: 'mem_1', count: 123_456 })
    mark.write({ id: 'mem_1', count: 7 })
    mark.close()
    expect(readMark(folder)).toEqual({ id: 'mem_1', count: 7 })
    openMark(folder).close()
    expect(readMark(folder)).toEqual({ id: 'mem_1', count: 7 })
  })

  test.each(['', 'mem_1', 'mem_1 x\n', 'mem_1 12', '\0\0\0\0'])('is ignored when it says %j', (text) => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'journal.mark'), text)
    expect(readMark(folder)).toBeUndefined()
  })

  test('that cannot be written does no harm', () => {
    const mark = openMark(join(temporaryFolder(), 'missing'))
    mark.write({ id: 'mem_1', count: 1 })
    mark.close()
  })
})

test('damaged journals are kept with their logs under the time, the latest three', () => {
  const folder = temporaryFolder()
  const at = Date.UTC(2030, 0, 1)
  for (let n = 0; n < 5; n += 1) {
    writeFileSync(join(folder, 'journal.db'), `${n}`)
    writeFileSync(join(folder, 'journal.db-wal'), `log ${n}`)
    moveAside(folder, at + n * 1000)
  }
  const kept = asideIn(folder)
  expect(kept).toEqual([2, 3, 4].map((n) => `journal.damaged-2030-01-01T00-00-0${n}.000Z.db`))
  expect(kept.map((name) => readFileSync(join(folder, `${name}-wal`), 'utf8'))).toEqual(['log 2', 'log 3', 'log 4'])
  expect(existsSync(join(folder, 'journal.db'))).toBe(false)
})
