import type { Job, PreviewOutput } from '@plantroom/contract/jobs'
import { describe, expect, test } from 'vitest'
import { describeResult } from './job-result.ts'

const jobOf = (fields: Partial<Job>): Job => ({
  id: 'job_1',
  name: 'PREVIEW_TICKET_IMPORT',
  status: 'SUCCESS',
  resolved: true,
  retryCount: 1,
  maxAttempts: 1,
  scheduled: '2030-01-01T00:00:00.000Z',
  output: null,
  progress: null,
  ...fields,
})

const PREVIEW: PreviewOutput = {
  tickets: { total: 1200, new: 1150, existing: 50 },
  comments: 2400,
  attachments: 1,
  tagsToCreate: [],
  unmatchedUnits: [],
  unmatchedEmails: [],
}

describe('the description of a job', () => {
  test('says what an import would do, for a preview', () => {
    expect(describeResult('site.fpl', jobOf({ output: PREVIEW }))).toBe(
      'site.fpl: 1,200 requests: 1,150 new, 50 already on the site; 2,400 comments, 1 attachment',
    )
  })

  test('names new tags, unknown units and people who were not found', () => {
    const output = {
      ...PREVIEW,
      tagsToCreate: ['heating', 'roof'],
      unmatchedUnits: ['B-12'],
      unmatchedEmails: [{ email: 'mari@example.ee', roles: ['assignee', 'watcher'] }],
    }
    expect(describeResult('site.fpl', jobOf({ output })).split('\n').slice(1)).toEqual([
      '  new tags: heating, roof',
      '  unknown units, left empty: B-12',
      '  people not found: mari@example.ee (assignee, watcher)',
    ])
  })

  test('counts the names that the output does not list', () => {
    const unmatchedUnits = Array.from({ length: 1000 }, (_, index) => `U${index}`)
    const output = { ...PREVIEW, unmatchedUnits, unlisted: { tags: 0, units: 5000, people: 0 } }
    expect(describeResult('site.fpl', jobOf({ output }))).toMatch(
      /… and 5,9\d\d more; the report of the job has them all$/,
    )
  })

  test('says what becomes of missing names, and what a fill does', () => {
    const none = { created: 0, mapped: 0, left: 0 }
    const missing = { units: { created: 1200, mapped: 1, left: 0 }, people: none, tags: none }
    const [, line] = describeResult('site.fpl', jobOf({ output: { ...PREVIEW, missing } })).split('\n')
    expect(line).toBe('  missing units: 1,200 would be created, 1 mapped, 0 left')
    const output = {
      tickets: { total: 1200, filled: 1100, complete: 97, notOnSite: 2, notImported: 1 },
      fields: { unit: 1100, assignee: 3 },
      tagsToCreate: [],
      unmatchedEmails: [],
      unmatchedUnits: [],
      missing,
    }
    expect(describeResult('site.fpl', jobOf({ name: 'TICKET_FILL', output })).split('\n')).toEqual([
      'site.fpl: 1,100 requests of 1,200 filled; 97 complete or edited, 2 not on the site, 1 not from an import',
      '  fields: unit in 1,100, assignee in 3',
      '  missing units: 1,200 created, 1 mapped, 0 left',
    ])
  })

  test('lists twenty items and the number of the others', () => {
    const unmatchedUnits = Array.from({ length: 1000 }, (_, index) => `U${index}`)
    const [, line] = describeResult('site.fpl', jobOf({ output: { ...PREVIEW, unmatchedUnits } })).split('\n')
    expect(line).toMatch(/^ {2}unknown units, left empty: U0, U1, .*, U19 … and 980 more; --json lists them all$/)
  })

  test('says what was created and skipped, for an import', () => {
    const output = {
      created: { tickets: 1, comments: 2, attachments: 0, tags: 1 },
      skipped: 1199,
      unmatchedEmails: [],
      unmatchedUnits: ['B-12'],
    }
    expect(describeResult('site.fpl', jobOf({ name: 'TICKET_IMPORT', output }))).toBe(
      'site.fpl: 1 request imported, 1,199 skipped; 2 comments, 0 attachments, 1 new tag\n  unknown units, left empty: B-12',
    )
  })

  test('says what the package contains, for an export', () => {
    const output = { url: 'http://x', filename: 'x.fpl', tickets: 3, comments: 0, attachments: 2, bytes: 12_345 }
    expect(describeResult('here.fpl', jobOf({ name: 'TICKET_EXPORT', output }))).toBe(
      'here.fpl: 3 requests, 0 comments, 2 attachments, 12,345 bytes',
    )
  })

  test('is the message of a failed job', () => {
    const output = { message: 'Invalid manifest: tickets[0].title: must not be blank' }
    expect(describeResult('site.fpl', jobOf({ status: 'ERROR', output }))).toBe(`site.fpl: ${output.message}`)
  })

  test('contains no control characters', () => {
    const output = { ...PREVIEW, tagsToCreate: ['a\u001B[2Jb'], unmatchedUnits: ['x\ny'] }
    const text = describeResult('si\u001Bte.fpl', jobOf({ output }))
    expect(text).toContain('si\\u001bte.fpl: ')
    expect(text).toContain('new tags: a\\u001b[2Jb')
    expect(text).toContain('left empty: x\\ny')
  })
})
