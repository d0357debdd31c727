import { statSync } from 'node:fs'
import { join } from 'node:path'
import { createLog } from '@plantroom/base/log'
import { describe, expect, test } from 'vitest'
import { createCommitsInTest } from '../testing/commits.ts'
import { canMount, createSmallDisk, type SmallDisk } from '../testing/small-disk.ts'
import { createReserve, RESERVE_BYTES } from './reserve.ts'

function begin(disk: SmallDisk = createSmallDisk('8m')) {
  const reserve = createReserve(disk.folder, createLog('edge', 'silent'))
  const it = createCommitsInTest(disk.folder, { reserve })
  const reserved = () => statSync(join(disk.folder, 'reserve'), { throwIfNoEntry: false })?.size ?? 0
  const save = (name: string) => it.commits.save((to) => it.put(to, name, 1))
  const record = (name: string) => it.commits.record((to) => it.put(to, name, 1))
  const close = () => {
    it.commits.close()
    it.journal.close()
  }
  return { ...it, disk, reserved, save, record, close }
}

describe.runIf(canMount)('a really full disk', () => {
  test('rejects saves and accepts records, using the reserve', async () => {
    const { disk, save, record, onDisk, reserved } = begin()
    await save('before')
    disk.fillUpTo(0)
    await expect(save('new')).rejects.toThrow('cannot keep the command on its disk')
    expect(reserved()).toBe(RESERVE_BYTES)
    for (let n = 0; n < 200; n += 1) await record(`release_${n}`)
    expect(Object.keys(onDisk())).toHaveLength(201)
    await expect(save('new')).rejects.toThrow('cannot keep the command on its disk')
  })

  test('has room for a thousand releases, because the log does not grow', async () => {
    const { disk, record, onDisk } = begin()
    disk.fillUpTo(0)
    for (let n = 0; n < 1_000; n += 1) await record(`release_${n}`)
    expect(Object.keys(onDisk())).toHaveLength(1_000)
    expect(disk.free()).toBeGreaterThan(RESERVE_BYTES / 2)
  })

  test('without a byte left, reserve included, delays nothing and gets everything later', async () => {
    const { disk, commits, record, onDisk, memory, clock, put } = begin()
    await record('before')
    const large = commits.record((to) => {
      for (let n = 0; n < 100_000; n += 1) put(to, `large_${n}`, n)
    })
    disk.fillUpTo(0)
    await large
    expect(Object.keys(onDisk())).toEqual(['before'])
    expect(memory.kept.size).toBe(100_001)
    disk.fillUpTo(0)
    await record('release')
    expect(memory.get('release')).toBe(1)
    disk.empty()
    await clock.advance(5_000)
    await clock.advance(0)
    expect(Object.keys(onDisk())).toHaveLength(100_002)
  })

  test('restores the reserve and accepts saves when there is space again', async () => {
    const { disk, save, record, clock, reserved, onDisk } = begin()
    disk.fillUpTo(0)
    for (let n = 0; n < 50; n += 1) await record(`release_${n}`)
    disk.empty()
    await clock.advance(5_000)
    expect(reserved()).toBe(RESERVE_BYTES)
    await save('new')
    expect(onDisk()).toMatchObject({ new: 1, release_49: 1 })
  })

  test('still allows a start, with the saved state and with records', async () => {
    const { disk, save, close } = begin()
    await save('before')
    close()
    disk.fillUpTo(0)
    const { onDisk, record, memory } = begin(disk)
    expect(onDisk()).toEqual({ before: 1 })
    await record('release')
    expect(memory.get('release')).toBe(1)
    expect(onDisk()).toEqual({ before: 1, release: 1 })
  })
})
