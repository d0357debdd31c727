import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, test } from 'vitest'
import { keptSecret } from './kept-secret.ts'

test('a secret is made once, and the same from then on', async () => {
  const path = join(temporaryFolder(), 'folder', 'secret')
  expect(await keptSecret(path, () => 'first')).toBe('first')
  expect(await keptSecret(path, () => 'second')).toBe('first')
  expect(await readFile(path, 'utf8')).toBe('first\n')
})

test('only its owner can read it', async () => {
  const path = join(temporaryFolder(), 'secret')
  await keptSecret(path, () => 'text')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('many first starts at once get the same', async () => {
  const path = join(temporaryFolder(), 'secret')
  const secrets = await Promise.all(Array.from({ length: 20 }, (_, each) => keptSecret(path, () => `secret ${each}`)))
  expect(new Set(secrets).size).toBe(1)
})

test('a file that is empty is not taken for a secret, nor replaced', async () => {
  const path = join(temporaryFolder(), 'secret')
  await writeFile(path, '\n')
  await expect(keptSecret(path, () => 'text')).rejects.toThrow(/secret is empty: remove it/)
})
