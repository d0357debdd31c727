import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { startChildProgram } from '@plantroom/testkit/child-program'
import { eventually } from '@plantroom/testkit/eventually'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { lockFolder } from './folder-lock.ts'

const HOLDER = new URL('./testing/lock-holder.ts', import.meta.url)

async function anotherProcess(folder: string) {
  const holder = startChildProgram(HOLDER, { args: [folder], supervised: true })
  await eventually(() => expect(holder.messages).toHaveLength(1))
  return holder
}

async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  for (let round = 0; round < 2; round += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    collect()
  }
}

describe('the lock of a folder', () => {
  test('keeps another process out until it is released', async () => {
    const folder = temporaryFolder()
    const giveBack = lockFolder(folder)
    expect(giveBack).toBeDefined()
    expect((await anotherProcess(folder)).messages).toEqual(['refused'])
    giveBack?.()
    expect((await anotherProcess(folder)).messages).toEqual(['taken'])
  })

  test('is exclusive within a process too', () => {
    const folder = temporaryFolder()
    const giveBack = lockFolder(folder)
    expect(lockFolder(folder)).toBeUndefined()
    giveBack?.()
    const again = lockFolder(folder)
    expect(again).toBeDefined()
    again?.()
  })

  test('goes to exactly one of several simultaneous callers', async () => {
    const folder = temporaryFolder()
    const rivals = await Promise.all([1, 2, 3].map(() => anotherProcess(folder)))
    expect(rivals.flatMap((rival) => rival.messages).toSorted()).toEqual(['refused', 'refused', 'taken'])
  })

  test('is released when its holder is killed with SIGKILL, although its file stays', async () => {
    const folder = temporaryFolder()
    const holder = await anotherProcess(folder)
    expect(holder.messages).toEqual(['taken'])
    expect(lockFolder(folder)).toBeUndefined()
    holder.kill('SIGKILL')
    await holder.ended
    expect(existsSync(join(folder, 'lock'))).toBe(true)
    const giveBack = lockFolder(folder)
    expect(giveBack).toBeDefined()
    giveBack?.()
  })

  test('is kept even if the release function is garbage collected', async () => {
    const folder = temporaryFolder()
    lockFolder(folder)
    await collectGarbage()
    expect(lockFolder(folder)).toBeUndefined()
  })

  test('may be released twice', () => {
    const giveBack = lockFolder(temporaryFolder())
    giveBack?.()
    expect(giveBack).not.toThrow()
  })

  test('is separate for each folder', () => {
    const locks = [lockFolder(temporaryFolder()), lockFolder(temporaryFolder())]
    for (const giveBack of locks) {
      expect(giveBack).toBeDefined()
      giveBack?.()
    }
  })

  test('of a missing folder is an error, not a lock held by someone else', () => {
    expect(() => lockFolder(join(temporaryFolder(), 'missing'))).toThrow('unable to open database file')
  })
})
