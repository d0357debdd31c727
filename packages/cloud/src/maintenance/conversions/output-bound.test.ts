import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, test } from 'vitest'
import { boundOutput } from './output-bound.ts'

const PLENTY = async () => 1e12

function folderWith(inputBytes: number) {
  const folder = temporaryFolder()
  writeFileSync(join(folder, '1-export.xlsx'), Buffer.alloc(inputBytes))
  /** The files have holes, so they need no room. */
  const write = (bytes: number) => {
    writeFileSync(join(folder, 'package.fpl'), '')
    truncateSync(join(folder, 'package.fpl'), bytes)
  }
  return { folder, write }
}

const never = new AbortController().signal

test('a conversion that writes twenty times what it reads, and 100 MB, may go on', async () => {
  const { folder, write } = folderWith(1_000_000)
  const deps = { clock: createManualClock(), maxPackageBytes: 1e12, free: PLENTY }
  await using bound = await boundOutput(folder, never, deps)
  write(119_000_000)
  await bound.check()
  write(121_000_000)
  await expect(bound.check()).rejects.toThrow('wrote more than 120 MB')
})

test('no conversion writes more than its organization may store', async () => {
  const { folder, write } = folderWith(1_000_000)
  await using bound = await boundOutput(folder, never, {
    ...{ clock: createManualClock(), maxPackageBytes: 5_000_000, free: PLENTY },
  })
  write(6_000_000)
  await expect(bound.check()).rejects.toMatchObject({ final: true, message: expect.stringContaining('limit of') })
})

test('a conversion ends while it runs, before it takes the room that uploads leave free', async () => {
  const { folder } = folderWith(10)
  const clock = createManualClock()
  let free = 1e12
  await using bound = await boundOutput(folder, never, { clock, maxPackageBytes: 1e12, free: async () => free })
  await clock.advance(1_000)
  expect(bound.signal.aborted).toBe(false)
  free = 200_000_000
  const aborted = new Promise((resolve) => bound.signal.addEventListener('abort', resolve))
  await clock.advance(1_000)
  await aborted
  expect(bound.signal.reason).toMatchObject({ message: expect.stringContaining('Contact the operator') })
})
