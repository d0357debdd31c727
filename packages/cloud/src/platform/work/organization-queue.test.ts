import { expect, test } from 'vitest'
import { createOrganizationQueue } from './organization-queue.ts'

test('an organization whose queue is full is asked to wait, and so are all when the service is', async () => {
  const queue = createOrganizationQueue('files', { atOnce: 1, waiting: 2, waitingPerGroup: 1 })
  const end = Promise.withResolvers<void>()
  const run = (organizationId: string) => queue.run(organizationId, () => end.promise)
  const waiting = ['org_1', 'org_1', 'org_2'].map(run)
  await expect(run('org_1')).rejects.toMatchObject({
    kind: 'quota',
    message: '1 files of this organization wait: try again in a minute',
    retryAfterS: 60,
  })
  await expect(run('org_3')).rejects.toMatchObject({
    kind: 'unavailable',
    message: 'too many files wait: try again in a minute',
    retryAfterS: 60,
  })
  end.resolve()
  await Promise.all(waiting)
})
