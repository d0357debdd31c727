import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, test } from 'vitest'
import { keptSecret } from './kept-secret.ts'

test('creates a secret once and returns the same one afterwards', async () => {
  const path = join(temporaryFolder(), 'folder', 'secret')
  expect(await keptSecret(path, () => 'first')).toBe('first')
  expect(await keptSecret(path, () => 'second')).toBe('first')
  expect(await readFile(path, 'utf8')).toBe('first\n')
})

test('lets only the owner read the secret', async () => {
  const path = join(temporaryFolder(), 'secret')
  await keptSecret(path, () => 'text')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('gives the same secret to simultaneous first starts', async () => {
  const path = join(temporaryFolder(), 'secret')
  const secrets = await Promise.all(Array.from({ length: 20 }, (_, each) => keptSecret(path, () => `secret ${each}`)))
  expect(new Set(secrets).size).toBe(1)
})

test('neither accepts nor replaces an empty file', async () => {
  const path = join(temporaryFolder(), 'secret')
  await writeFile(path, '\n')
  await expect(keptSecret(path, () => 'text')).rejects.toThrow(/secret is empty; remove it/)
})
