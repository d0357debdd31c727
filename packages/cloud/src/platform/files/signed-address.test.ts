import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, test } from 'vitest'
import { loadSigningSecret } from './signed-address.ts'

test('all processes of a folder share one secret of 32 bytes, even when they start together', async () => {
  const folder = temporaryFolder()
  const secrets = await Promise.all(Array.from({ length: 10 }, () => loadSigningSecret(folder)))
  expect(secrets[0]).toHaveLength(32)
  for (const secret of secrets) expect(secret).toEqual(secrets[0])
  expect(await loadSigningSecret(temporaryFolder())).not.toEqual(secrets[0])
})

test('a damaged secret is reported, not used', async () => {
  const folder = temporaryFolder()
  await writeFile(join(folder, 'files-secret'), 'abcd\n')
  await expect(loadSigningSecret(folder)).rejects.toThrow(/files-secret is damaged: remove it to create/)
})
