import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { createAtomicFile } from './atomic-file.ts'

describe('an atomic file', () => {
  test('appears when it is complete', () => {
    const folder = temporaryFolder()
    const path = join(folder, 'problems.csv')
    const file = createAtomicFile(path)
    file.write('first\n')
    file.write('sõna\n')
    expect(readdirSync(folder)).not.toContain('problems.csv')
    file.commit()
    expect(readFileSync(path, 'utf8')).toBe('first\nsõna\n')
    expect(readdirSync(folder)).toEqual(['problems.csv'])
  })

  test('replaces an existing file, which stays until then', () => {
    const folder = temporaryFolder()
    const path = join(folder, 'problems.csv')
    writeFileSync(path, 'before')
    const file = createAtomicFile(path)
    file.write('after')
    expect(readFileSync(path, 'utf8')).toBe('before')
    file.commit()
    expect(readFileSync(path, 'utf8')).toBe('after')
  })

  test('leaves nothing when it is discarded, and stays once it is committed', () => {
    const folder = temporaryFolder()
    const path = join(folder, 'problems.csv')
    const discarded = createAtomicFile(path)
    discarded.write('half')
    discarded.discard()
    discarded.discard()
    expect(readdirSync(folder)).toEqual([])
    const done = createAtomicFile(path)
    done.commit()
    done.discard()
    expect(readdirSync(folder)).toEqual(['problems.csv'])
  })

  test('replaces the target of a link, not the link', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'real.csv'), 'before')
    symlinkSync('real.csv', join(folder, 'link.csv'))
    const file = createAtomicFile(join(folder, 'link.csv'))
    file.write('after')
    file.commit()
    expect(lstatSync(join(folder, 'link.csv')).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(folder, 'real.csv'), 'utf8')).toBe('after')
  })

  test('cannot replace a folder or a device, and needs an existing folder', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'sub'))
    expect(() => createAtomicFile(join(folder, 'sub'))).toThrow('not a regular file')
    expect(() => createAtomicFile('/dev/null')).toThrow('not a regular file')
    expect(() => createAtomicFile(join(folder, 'none', 'problems.csv'))).toThrow('ENOENT')
  })
})
