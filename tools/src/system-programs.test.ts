import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { missingOf } from './system-programs.ts'

const program = { name: 'broker', debianPackage: 'broker-server' }

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plantroom-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function folderWith(path: string, mode: number): string {
  const folder = emptyFolder()
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), '', { mode })
  return folder
}

describe('a system program', () => {
  test('is found in any folder of the path', () => {
    const path = [emptyFolder(), folderWith('broker', 0o755)].join(delimiter)
    expect(missingOf([program], path)).toEqual([])
  })

  test('is missing when no folder has it or the path is empty', () => {
    expect(missingOf([program], emptyFolder())).toEqual([program])
    expect(missingOf([program], '')).toEqual([program])
  })

  test('is missing when the file is not executable', () => {
    expect(missingOf([program], folderWith('broker', 0o644))).toEqual([program])
  })
})

describe('a system library', () => {
  const libraryIn = (folder: string) => ({
    name: 'libclock',
    debianPackage: 'libclock1',
    place: join(folder, '*/clock/libclock.so.1'),
  })

  test('is found in the folder of any architecture, although it is not executable', () => {
    expect(missingOf([libraryIn(folderWith('riscv64-linux-gnu/clock/libclock.so.1', 0o644))])).toEqual([])
  })

  test('is missing when only a similar name exists, even on the path', () => {
    const folder = folderWith('x86_64-linux-gnu/clock/libclock.so.2', 0o644)
    const library = libraryIn(folder)
    expect(missingOf([library])).toEqual([library])
    expect(missingOf([library], folderWith('libclock', 0o755))).toEqual([library])
  })
})
