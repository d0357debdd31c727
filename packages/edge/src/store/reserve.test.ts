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
  test('is created at the start, private to its owner, with its full size', () => {
    const { path, size } = begin()
    expect(size()).toBe(RESERVE_BYTES)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    // Blocks of 512 bytes: the space is really allocated.
    expect(statSync(path).blocks * 512).toBeGreaterThanOrEqual(RESERVE_BYTES)
  })

  test('is created once and found by the next start', () => {
    const { folder, path, reserve } = begin()
    const { ino, mtimeMs } = statSync(path)
    reserve.restore()
    begin({ folder }).reserve.restore()
    expect(statSync(path)).toMatchObject({ ino, mtimeMs })
  })

  test('can be released, and is restored when there is room', () => {
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

  test('can be released twice', () => {
    const { reserve, size } = begin()
    reserve.release()
    reserve.release()
    expect(size()).toBeUndefined()
  })

  test('that a power cut left incomplete is completed', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'reserve'), Buffer.alloc(1000))
    expect(begin({ folder }).size()).toBe(RESERVE_BYTES)
  })

  test('that was deleted is created again', () => {
    const { path, reserve, size } = begin()
    rmSync(path)
    reserve.restore()
    expect(size()).toBe(RESERVE_BYTES)
  })

  test('is optional when it cannot be created', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'reserve'))
    const { reserve } = begin({ folder })
    reserve.release()
    reserve.restore()
    expect(reserve.hasRoom()).toBe(true)
  })
})

describe('room for something new', () => {
  test('is the space beyond the reserve', () => {
    const { disk, reserve } = begin()
    disk.free = LEAST_BYTES
    expect(reserve.hasRoom()).toBe(true)
    disk.free -= 1
    expect(reserve.hasRoom()).toBe(false)
  })

  test('does not include the released reserve', () => {
    const { disk, reserve } = begin()
    disk.free = 0
    reserve.release()
    disk.free = RESERVE_BYTES
    expect(reserve.hasRoom()).toBe(false)
    disk.free = RESERVE_BYTES + LEAST_BYTES
    expect(reserve.hasRoom()).toBe(true)
  })

  test('is missing when there was no space from the start', () => {
    const { disk, reserve, size } = begin({ free: 0 })
    expect(size()).toBeUndefined()
    expect(reserve.hasRoom()).toBe(false)
    disk.free = 1e9
    reserve.restore()
    expect(size()).toBe(RESERVE_BYTES)
    expect(reserve.hasRoom()).toBe(true)
  })

  test('is missing in a deleted folder', () => {
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
