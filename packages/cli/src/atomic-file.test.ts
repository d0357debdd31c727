import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { createAtomicFile } from './atomic-file.ts'

describe('an atomic file', () => {
  test('is there when it is whole', () => {
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

  test('takes the place of the one before, which stays until then', () => {
    const folder = temporaryFolder()
    const path = join(folder, 'problems.csv')
    writeFileSync(path, 'before')
    const file = createAtomicFile(path)
    file.write('after')
    expect(readFileSync(path, 'utf8')).toBe('before')
    file.commit()
    expect(readFileSync(path, 'utf8')).toBe('after')
  })

  test('that is discarded leaves nothing, and one that is done stays', () => {
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

  test('behind a link is replaced, not the link', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'real.csv'), 'before')
    symlinkSync('real.csv', join(folder, 'link.csv'))
    const file = createAtomicFile(join(folder, 'link.csv'))
    file.write('after')
    file.commit()
    expect(lstatSync(join(folder, 'link.csv')).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(folder, 'real.csv'), 'utf8')).toBe('after')
  })

  test('cannot be where a folder or a device is, nor in a folder that is not there', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'sub'))
    expect(() => createAtomicFile(join(folder, 'sub'))).toThrow('not a file')
    expect(() => createAtomicFile('/dev/null')).toThrow('not a file')
    expect(() => createAtomicFile(join(folder, 'none', 'problems.csv'))).toThrow('ENOENT')
  })
})
