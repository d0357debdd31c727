import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sleep, systemClock } from '@plantroom/base/clock'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { packageKey } from './keys.ts'
import { openS3Store } from './s3-store.ts'
import { openScratch } from './scratch.ts'
import { fileStoreContract } from './testing/file-store-contract.ts'
import { partStoreContract } from './testing/part-store-contract.ts'
import { startS3 } from './testing/s3-server.ts'

fileStoreContract('in S3', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plantroom-files-'))
  const server = await startS3(join(folder, 's3'))
  // It encodes ' and * in queries differently and therefore refuses downloads with encoded names.
  const lenient = await startS3(join(folder, 's3'), { allowMismatchedSignatures: true })
  const scratch = await openScratch(join(folder, 'unfinished'))
  const files = openS3Store(server.settings, { scratch })
  const downloads = openS3Store(lenient.settings, { scratch })
  return {
    files,
    downloads,
    keepsHalves: true,
    passTime: (ms) => sleep(systemClock, ms),
    async close() {
      files.close()
      downloads.close()
      await lenient.close()
      await scratch.close()
      await server.close()
      rmSync(folder, { recursive: true })
    },
  }
})

partStoreContract('in S3', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plantroom-parts-'))
  const server = await startS3(join(folder, 's3'))
  const scratch = await openScratch(join(folder, 'unfinished'))
  const files = openS3Store(server.settings, { scratch })
  return {
    files,
    async close() {
      files.close()
      await scratch.close()
      await server.close()
      rmSync(folder, { recursive: true })
    },
  }
})

describe('a bucket that cannot be used', () => {
  test('is reported with the name of its setting', async () => {
    const folder = temporaryFolder()
    const server = await startS3(join(folder, 's3'))
    const scratch = await openScratch(join(folder, 'unfinished'))
    const files = openS3Store({ ...server.settings, bucket: 'another' }, { scratch })
    await expect(files.put('exports/site_a/job_a', import.meta.filename)).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/^the bucket of S3_BUCKET cannot be used: .*NoSuchBucket/),
    })
    files.close()
    await server.close()
    await expect(files.stat(packageKey('org_a', 'site_a', 'x.fpl'))).rejects.toMatchObject({ kind: 'unavailable' })
    await scratch.close()
  })
})
