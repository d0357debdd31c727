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
  test('keeps another process out, and lets it in when it was given back', async () => {
    const folder = temporaryFolder()
    const giveBack = lockFolder(folder)
    expect(giveBack).toBeDefined()
    expect((await anotherProcess(folder)).messages).toEqual(['refused'])
    giveBack?.()
    expect((await anotherProcess(folder)).messages).toEqual(['taken'])
  })

  test('is for one taker, also within a process', () => {
    const folder = temporaryFolder()
    const giveBack = lockFolder(folder)
    expect(lockFolder(folder)).toBeUndefined()
    giveBack?.()
    const again = lockFolder(folder)
    expect(again).toBeDefined()
    again?.()
  })

  test('goes to just one of those that reach for it at the same time', async () => {
    const folder = temporaryFolder()
    const rivals = await Promise.all([1, 2, 3].map(() => anotherProcess(folder)))
    expect(rivals.flatMap((rival) => rival.messages).toSorted()).toEqual(['refused', 'refused', 'taken'])
  })

  test('goes with a holder that is killed with -9, though its file stays', async () => {
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

  test('is kept though the function that gives it back was dropped', async () => {
    const folder = temporaryFolder()
    lockFolder(folder)
    await collectGarbage()
    expect(lockFolder(folder)).toBeUndefined()
  })

  test('may be given back twice', () => {
    const giveBack = lockFolder(temporaryFolder())
    giveBack?.()
    expect(giveBack).not.toThrow()
  })

  test('is one per folder', () => {
    const locks = [lockFolder(temporaryFolder()), lockFolder(temporaryFolder())]
    for (const giveBack of locks) {
      expect(giveBack).toBeDefined()
      giveBack?.()
    }
  })

  test('cannot be taken where there is no folder: that is an error, not a lock held by somebody', () => {
    expect(() => lockFolder(join(temporaryFolder(), 'missing'))).toThrow('unable to open database file')
  })
})
