import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fastFolder, removeLeft } from './fast-folder.ts'

/** Linux gives no process a number above 2^22. */
const NO_PROCESS = 2 ** 22 + 1

test('what a killed run left is removed, and nothing else', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'left-'))
  onTestFinished(() => rmSync(parent, { recursive: true }))
  const names = [`plantroom-${NO_PROCESS}`, `plantroom-${process.ppid}`, 'plantroom-mine', 'plantroom-12x']
  for (const name of names) {
    mkdirSync(join(parent, name))
    writeFileSync(join(parent, name, 'file'), '')
  }
  await removeLeft(parent)
  expect(names.filter((name) => existsSync(join(parent, name)))).toEqual(names.slice(1))
})

test('a run has a folder of its own, which ends with it', async () => {
  const folder = await fastFolder()
  writeFileSync(join(folder.path, 'file'), '')
  await folder[Symbol.asyncDispose]()
  expect(existsSync(folder.path)).toBe(false)
})
