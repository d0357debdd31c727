import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLog } from '@plantroom/base/log'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { canMount, createSmallDisk } from '../testing/small-disk.ts'
import { createReserve, LEAST_BYTES, RESERVE_BYTES } from './reserve.ts'

const log = createLog('edge', 'silent')

function begin(options: { free?: number; folder?: string } = {}) {
  const disk = { free: options.free ?? 1e9 }
  const folder = options.folder ?? temporaryFolder()
  const path = join(folder, 'reserve')
  const reserve = createReserve(folder, log, () => disk.free)
  const size = () => statSync(path, { throwIfNoEntry: false })?.size
  return { disk, folder, path, reserve, size }
}

describe('the reserve', () => {
  test('is made at the start, for its owner alone, and is as large as it says', () => {
    const { path, size } = begin()
    expect(size()).toBe(RESERVE_BYTES)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    // 512 bytes each: the space is really taken.
    expect(statSync(path).blocks * 512).toBeGreaterThanOrEqual(RESERVE_BYTES)
  })

  test('is made once: the next start finds it, and so does every look', () => {
    const { folder, path, reserve } = begin()
    const { ino, mtimeMs } = statSync(path)
    reserve.restore()
    begin({ folder }).reserve.restore()
    expect(statSync(path)).toMatchObject({ ino, mtimeMs })
  })

  test('is given up, and taken again when there is room for it', () => {
    const { disk, reserve, size } = begin()
    reserve.release()
    expect(size()).toBeUndefined()
    disk.free = RESERVE_BYTES + LEAST_BYTES - 1
    reserve.restore()
    expect(size()).toBeUndefined()
    disk.free += 1
    reserve.restore()
    expect(size()).toBe(RESERVE_BYTES)
  })

  test('can be given up twice', () => {
    const { reserve, size } = begin()
    reserve.release()
    reserve.release()
    expect(size()).toBeUndefined()
  })

  test('that a power cut left half made is made whole', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'reserve'), Buffer.alloc(1000))
    expect(begin({ folder }).size()).toBe(RESERVE_BYTES)
  })

  test('that somebody took away is made again', () => {
    const { path, reserve, size } = begin()
    rmSync(path)
    reserve.restore()
    expect(size()).toBe(RESERVE_BYTES)
  })

  test('that cannot be made is done without', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'reserve'))
    const { reserve } = begin({ folder })
    reserve.release()
    reserve.restore()
    expect(reserve.hasRoom()).toBe(true)
  })
})

describe('room for something new', () => {
  test('is what lies beyond the reserve', () => {
    const { disk, reserve } = begin()
    disk.free = LEAST_BYTES
    expect(reserve.hasRoom()).toBe(true)
    disk.free -= 1
    expect(reserve.hasRoom()).toBe(false)
  })

  test('is not what was given up for releases', () => {
    const { disk, reserve } = begin()
    disk.free = 0
    reserve.release()
    disk.free = RESERVE_BYTES
    expect(reserve.hasRoom()).toBe(false)
    disk.free = RESERVE_BYTES + LEAST_BYTES
    expect(reserve.hasRoom()).toBe(true)
  })

  test('is not there where there was no space at all from the start', () => {
    const { disk, reserve, size } = begin({ free: 0 })
    expect(size()).toBeUndefined()
    expect(reserve.hasRoom()).toBe(false)
    disk.free = 1e9
    reserve.restore()
    expect(size()).toBe(RESERVE_BYTES)
    expect(reserve.hasRoom()).toBe(true)
  })

  test('is not there in a folder that is gone', () => {
    const folder = temporaryFolder()
    const reserve = createReserve(folder, log)
    expect(reserve.hasRoom()).toBe(true)
    rmSync(folder, { recursive: true })
    expect(reserve.hasRoom()).toBe(false)
    reserve.restore()
    expect(existsSync(folder)).toBe(false)
  })

  test.runIf(canMount)('is measured on the disk itself', () => {
    const disk = createSmallDisk('4m')
    disk.fillUpTo(RESERVE_BYTES)
    const reserve = createReserve(disk.folder, log)
    expect(reserve.hasRoom()).toBe(false)
    disk.empty()
    reserve.restore()
    expect(reserve.hasRoom()).toBe(true)
    disk.fillUpTo(LEAST_BYTES - 4096)
    expect(reserve.hasRoom()).toBe(false)
    reserve.release()
    expect(reserve.hasRoom()).toBe(false)
    expect(disk.free()).toBeGreaterThanOrEqual(RESERVE_BYTES)
  })
})
