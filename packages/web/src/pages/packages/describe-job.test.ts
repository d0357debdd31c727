import type { Job } from '@plantroom/contract/jobs'
import { describe, expect, test } from 'vitest'
import {
  canRunAgain,
  describeJob,
  describeProgress,
  describeStarter,
  fileOf,
  isInvalidManifest,
  waitsLong,
} from './describe-job.ts'

const job: Job = {
  id: 'job_1',
  name: 'TICKET_IMPORT',
  status: 'RUNNING',
  resolved: false,
  retryCount: 1,
  maxAttempts: 3,
  scheduled: '2026-11-15T10:00:00Z',
  output: null,
  progress: null,
}

test('a job says who started it', () => {
  const by = (kind: 'key' | 'person' | 'operator' | 'schedule', name: string | null) =>
    describeStarter({ startedBy: { kind, id: 'x', name } })
  expect([by('person', 'anna@example.com'), by('key', 'Partner'), by('operator', null), by('schedule', null)]).toEqual([
    'anna@example.com',
    'Partner (API key)',
    'Operator',
    'Schedule',
  ])
  expect(describeStarter({ startedBy: null })).toBeNull()
})

describe('a running job', () => {
  test('waits, then starts', () => {
    expect(describeProgress({ ...job, status: 'SCHEDULED', retryCount: 0 })).toEqual({
      headline: 'Waiting to start',
      detail: '',
      percent: undefined,
    })
    expect(describeProgress(job).headline).toBe('Starting')
  })

  test.each([
    ['checking manifest', 1_500_000, 3_000_000, 'Reading the list of requests', '1.5 MB of 3.0 MB', 50],
    ['checking files', 0, 10, 'Checking files', '0 B of 10 B', 0],
    ['comparing', 1, 3, 'Comparing with the requests of this site', '1 of 3 requests', 33],
    ['importing', 49_999, 50_000, 'Importing requests', '49,999 of 50,000 requests', 99],
    ['requests', 1, 1, 'Collecting requests', '1 of 1 request', 100],
    ['files', 0, 0, 'Packing attachments', '', undefined],
    ['something new', 1, 2, 'something new', '1 of 2 requests', 50],
  ])('shows its progress in %s', (stage, done, total, headline, detail, percent) => {
    expect(describeProgress({ ...job, progress: { stage, done, total } })).toEqual({ headline, detail, percent })
  })

  test('waits long after a minute, if nothing takes it', () => {
    const waiting = { ...job, status: 'SCHEDULED' } as const
    const at = Date.parse(job.scheduled)
    expect([waitsLong(waiting, at + 60_000), waitsLong(waiting, at + 60_001), waitsLong(job, at + 1e9)]).toEqual([
      false,
      true,
      false,
    ])
  })

  test('shows the attempt from the second on', () => {
    const progress = { stage: 'importing', done: 5, total: 10 }
    expect(describeProgress({ ...job, retryCount: 2, progress }).detail).toBe('5 of 10 requests · Attempt 2 of 3')
  })

  test('shows when the next attempt starts after a failure', () => {
    const failed = describeProgress({ ...job, status: 'ERROR', progress: { stage: 'importing', done: 5, total: 10 } })
    expect(failed.detail).toBe('Attempt 2 of 3 starts within a minute')
    expect(failed.percent).toBeUndefined()
  })
})

describe('the line of a job', () => {
  const done = { ...job, status: 'SUCCESS', resolved: true } as const

  test('names a complete export as it is downloaded', () => {
    const output = { url: '/x', filename: 'Site 1.fpl', tickets: 1, comments: 0, attachments: 0, bytes: 9 }
    const exported = { ...done, name: 'TICKET_EXPORT', output } as const
    expect(fileOf(exported, 'maintenance-requests-1.fpl')).toBe('Site 1.fpl')
    expect(fileOf({ ...job, name: 'TICKET_EXPORT' }, 'maintenance-requests-1.fpl')).toBe('maintenance-requests-1.fpl')
    expect(fileOf(done, undefined)).toBeNull()
  })

  test('shows its result', () => {
    const unmatched = { tagsToCreate: [], unmatchedUnits: [], unmatchedEmails: [] }
    expect(
      describeJob({
        ...done,
        name: 'PREVIEW_TICKET_IMPORT',
        output: { tickets: { total: 5, new: 2, existing: 3 }, comments: 0, attachments: 0, ...unmatched },
      }),
    ).toBe('Valid: 2 new, 3 already on this site')
    expect(
      describeJob({
        ...done,
        output: { created: { tickets: 1, comments: 0, attachments: 0, tags: 0 }, skipped: 4, ...unmatched },
      }),
    ).toBe('1 request added, 4 skipped')
    expect(
      describeJob({
        ...done,
        name: 'TICKET_EXPORT',
        output: { url: '', filename: 'a.fpl', tickets: 5, comments: 1, attachments: 0, bytes: 2_000_000 },
      }),
    ).toBe('5 requests, 2.0 MB')
  })

  test('shows why it failed', () => {
    const message = 'Invalid manifest: tickets[0].state: done must be one of: new'
    expect(describeJob({ ...done, status: 'ERROR', output: { message } })).toBe(message)
    expect(describeJob({ ...done, status: 'ERROR', output: null })).toBe('Plantroom gave no reason.')
  })

  test('shows the progress while it runs', () => {
    expect(describeJob({ ...job, progress: { stage: 'importing', done: 1, total: 2 } })).toBe(
      'Importing requests · 1 of 2 requests',
    )
  })
})

test('an import can run again unless the package is at fault', () => {
  const failed = (message: string) => ({ ...job, status: 'ERROR', resolved: true, output: { message } }) as const
  expect(canRunAgain(failed('The import stopped at request 7: the disk is full.'))).toBe(true)
  expect(canRunAgain(failed('Invalid manifest: version: 2 must be one of: 1.0'))).toBe(false)
  expect(canRunAgain(failed('The package is not a valid .fpl archive: entry 0'))).toBe(false)
  expect(canRunAgain({ ...failed('x'), name: 'TICKET_EXPORT' })).toBe(false)
  expect(canRunAgain({ ...failed('x'), resolved: false })).toBe(false)
})

test('a manifest with mistakes and one that is not JSON have a report; other failures have none', () => {
  expect(
    ['Invalid manifest: version: 1 …', 'manifest.json is not valid JSON', 'No manifest.json found in the package'].map(
      isInvalidManifest,
    ),
  ).toEqual([true, true, false])
})
