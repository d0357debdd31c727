import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, test } from 'vitest'

test('a backup replaces no file, unless it is forced to and succeeds', () => {
  const folder = temporaryFolder()
  const file = join(folder, 'a.backup')
  writeFileSync(file, 'the backup of yesterday')
  const backUp = (...args: string[]) => {
    const env = { ...process.env, PLANTROOM_DATA: join(folder, 'none'), PLANTROOM_CONFIG: 'none', DATABASE_URL: '' }
    const program = join(import.meta.dirname, 'backup.ts')
    const { status, stderr } = spawnSync(process.execPath, [program, 'backup', file, ...args], {
      env,
      encoding: 'utf8',
    })
    return { status, stderr }
  }
  expect(backUp()).toEqual({
    status: 1,
    stderr: `plantroom backup: ${file} exists: choose another name, or replace it with --force\n`,
  })
  // There is no service here.
  expect(backUp('--force')).toMatchObject({ status: 1, stderr: expect.stringContaining('has no database') })
  expect(readFileSync(file, 'utf8')).toBe('the backup of yesterday')
  expect(readdirSync(folder)).toEqual(['a.backup'])
})
