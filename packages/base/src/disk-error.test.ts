import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { describeDiskError } from './disk-error.ts'

function messageOf(act: () => unknown): string {
  try {
    act()
    return ''
  } catch (error) {
    return describeDiskError(error)
  }
}

describe('an error of the disk', () => {
  test('says that the disk is full, and what to do', () => {
    const full = openSync('/dev/full', 'w')
    const message = messageOf(() => writeSync(full, 'x'))
    closeSync(full)
    expect(message).toBe('the disk is full: free space, or write to another disk (ENOSPC)')
  })

  test('names the path, if there is one', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'a'))
    writeFileSync(join(folder, 'b'), '')
    const path = (name: string) => join(folder, name)
    expect(messageOf(() => writeFileSync(path('a'), ''))).toBe(
      `${path('a')}: it is a folder: give the name of a file (EISDIR)`,
    )
    expect(messageOf(() => readFileSync(path('c/d')))).toMatch(/c\/d: it does not exist: .* \(ENOENT\)$/)
    expect(messageOf(() => writeFileSync(path(`c/d.${randomUUID()}`), ''))).toContain(`${path('c/d')}: it does`)
    expect(messageOf(() => readFileSync(path('b/d')))).toMatch(/a file and not a folder: .* \(ENOTDIR\)$/)
    expect(messageOf(() => writeFileSync(path('x'.repeat(300)), ''))).toContain('choose a shorter one')
  })

  test('leaves other messages as they are', async () => {
    expect(describeDiskError(new Error('of ours'))).toBe('of ours')
    expect(describeDiskError(Object.assign(new Error('explained'), { code: 'ENOSPC' }))).toBe('explained')
    expect(describeDiskError('text')).toBe('text')
    const refused = await new Promise((resolve) => connect(1, '127.0.0.1').once('error', resolve))
    expect(describeDiskError(refused)).toContain('ECONNREFUSED')
  })
})
