import { createManualClock } from '@plantroom/testkit/manual-clock'
import { expect, test } from 'vitest'
import { packageKey } from '../../platform/files/index.ts'
import { openImportBench } from '../packages/testing/import-bench.ts'
import { addUpload, completeUpload, findUpload } from './part-upload-store.ts'
import { sweepPartUploads } from './sweep-parts.ts'
import { UPLOAD_KEPT_MS } from './upload-store.ts'

test('an upload that nobody continued for seven days is removed, as is what nobody knows of', async () => {
  const { db, files, addSite } = await openImportBench()
  const site = await addSite()
  const clock = createManualClock(Date.now())
  const begin = async (filename: string, recorded = true) => {
    const storeId = await files.parts.begin(packageKey('org', site.id, filename), 1000)
    const of = { organizationId: 'org', siteId: site.id, purpose: 'import' } as const
    const upload = { id: filename, ...of, filename, size: 1000, storeId }
    const options = { stored: 0, max: 1e9 }
    if (recorded) await addUpload(db, { ...upload, startedAt: new Date(clock.now()) }, options)
  }
  const bytes = () => files.packageBytes('org')
  await begin('old.fpl')
  await begin('completed.fpl')
  await completeUpload(db, 'completed.fpl', new Date(clock.now()))
  await begin('unknown.fpl', false)
  expect(await sweepPartUploads({ db, files, clock })).toBe(0)
  await clock.advance(UPLOAD_KEPT_MS)
  await begin('recent.fpl')
  expect(await bytes()).toBe(4000)
  await clock.advance(1000)
  // The completed one has left its folder here, which finishing would have removed.
  expect(await sweepPartUploads({ db, files, clock })).toBe(4)
  expect(await bytes()).toBe(1000)
  expect(await findUpload(db, { siteId: site.id, id: 'recent.fpl' })).toMatchObject({ filename: 'recent.fpl' })
  expect(await findUpload(db, { siteId: site.id, id: 'old.fpl' })).toBeUndefined()
})
