import { newAuditKey, openAuditKey } from '@plantroom/base/audit-key'
import { systemClock } from '@plantroom/base/clock'
import type { JobName } from '@plantroom/contract/jobs'
import { expect, test } from 'vitest'
import { createActivityLog } from '../../organization/activity/activity-log.ts'
import type { ActingParty } from '../../organization/activity/index.ts'
import { readChain } from '../../organization/activity/testing/logs.ts'
import { settleJob } from '../../platform/jobs/queue.ts'
import { claimNext } from '../../platform/jobs/testing/attempts.ts'
import { openJobBench } from '../../platform/jobs/testing/job-bench.ts'
import { acceptRecorded, recordEnding } from './job-activity.ts'
import { JOB_KINDS } from './job-kinds.ts'

const anna = { kind: 'person', id: 'usr_1', name: 'anna@example.com', address: '192.0.2.1' } as const
const output = {
  created: { tickets: 3, comments: 1, attachments: 0, tags: 0 },
  skipped: 2,
  unmatchedEmails: [{ email: 'private@example.com', roles: [] }],
  unmatchedUnits: [],
}

async function open() {
  const { db, organizationId, siteId } = await openJobBench()
  const activity = createActivityLog({ db, key: openAuditKey(newAuditKey()), clock: systemClock })
  const queue = {
    db,
    kinds: JOB_KINDS,
    retryDelayS: 0,
    onResolved: (
      ...[tx, job, verdict]: Parameters<typeof recordEnding> extends [unknown, ...infer Rest] ? Rest : never
    ) => recordEnding(activity, tx, job, verdict),
  }
  const job = { organizationId, siteId, filename: 'a.fpl', packageVersion: null, keyId: null }
  const quota = { perSite: 1, perOrganization: 1 }
  const accept = (name: JobName, actor: ActingParty = anna) =>
    acceptRecorded({ activity, quota }, { ...job, name }, { actor })
  const entries = async () =>
    (await readChain(db, organizationId)).map(({ action, actor, subject, details, outcome }) => ({
      action,
      actor: actor.name,
      job: subject?.id,
      details,
      outcome,
    }))
  return { queue, accept, entries }
}

test('an import has an entry at its start and one at its end, however many attempts it takes, with who started it', async () => {
  const { queue, accept, entries } = await open()
  const job = await accept('TICKET_IMPORT')
  for (const ending of [
    { kind: 'failed', message: 'private', final: false },
    { kind: 'done', output },
  ] as const) {
    const claimed = await claimNext(queue, 'TICKET_IMPORT', 'worker_1')
    if (claimed) await settleJob(queue, claimed, ending)
  }
  const { created, skipped } = output
  expect(await entries()).toEqual([
    { action: 'import-started', actor: anna.name, job, details: {}, outcome: 'done' },
    { action: 'import-ended', actor: anna.name, job, details: { skipped, created }, outcome: 'done' },
  ])
})

test('an export that waits has one entry for each caller who asked for it, however often', async () => {
  const { accept, entries } = await open()
  const job = await accept('TICKET_EXPORT')
  for (let again = 0; again < 5; again += 1) expect(await accept('TICKET_EXPORT')).toBe(job)
  await accept('TICKET_EXPORT', { kind: 'operator', id: null, name: null, address: null })
  expect((await entries()).map(({ action, actor }) => [action, actor])).toEqual([
    ['export-started', anna.name],
    ['export-started', null],
  ])
})

test('a failed import says so without quoting the package, and a refused one or a preview has no entry', async () => {
  const { queue, accept, entries } = await open()
  const job = await accept('TICKET_IMPORT')
  await expect(accept('TICKET_IMPORT')).rejects.toThrow('limit')
  const claimed = await claimNext(queue, 'TICKET_IMPORT', 'worker_1')
  if (claimed) await settleJob(queue, claimed, { kind: 'failed', message: 'private', final: true })
  await accept('PREVIEW_TICKET_IMPORT')
  expect(await entries()).toEqual([
    { action: 'import-started', actor: anna.name, job, details: {}, outcome: 'done' },
    { action: 'import-ended', actor: anna.name, job, details: {}, outcome: 'failed' },
  ])
})
