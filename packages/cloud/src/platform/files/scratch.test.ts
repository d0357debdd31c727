import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { openScratch } from './scratch.ts'

describe('a scratch folder', () => {
  test('is removed at the next start if its process was killed, and only then', async () => {
    const parent = temporaryFolder()
    const program = `
      import { writeFileSync } from 'node:fs'
      import { openScratch } from ${JSON.stringify(join(import.meta.dirname, 'scratch.ts'))}
      const scratch = await openScratch(${JSON.stringify(parent)})
      writeFileSync(scratch.path(), 'half')
      console.log('ready')
      process.stdin.resume()`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    const mine = await openScratch(parent)
    expect(readdirSync(parent)).toHaveLength(2)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const next = await openScratch(parent)
    expect(
      readdirSync(parent)
        .map((name) => join(parent, name))
        .toSorted(),
    ).toEqual([mine.folder, next.folder].toSorted())
    await mine.close()
    await next.close()
    expect(readdirSync(parent)).toEqual([])
  })

  test('is separate for every open, even in one process', async () => {
    const parent = temporaryFolder()
    const one = await openScratch(parent)
    const path = one.path()
    writeFileSync(path, 'half')
    const two = await openScratch(parent)
    expect(existsSync(path)).toBe(true)
    expect(two.folder).not.toBe(one.folder)
    await one.close()
    await two.close()
  })
})
