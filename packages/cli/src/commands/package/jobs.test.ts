import type { NamedJob } from '@plantroom/contract/jobs'
import { expect, test } from 'vitest'
import { jobTable } from './jobs.ts'

const JOB: NamedJob = {
  ...{ id: 'job_1', name: 'TICKET_EXPORT', filename: 'a.fpl', status: 'SUCCESS', resolved: true, retryCount: 1 },
  ...{ maxAttempts: 1, scheduled: '2030-01-01T00:00:00.000Z', output: null, progress: null, startedBy: null },
}

test.each([
  ['Schedule', { kind: 'schedule', id: null, name: null }],
  ['Operator', { kind: 'operator', id: null, name: null }],
  ['Partner \\(API key\\)', { kind: 'key', id: 'key_1', name: 'Partner' }],
  ['another API key', { kind: 'key', id: null, name: null }],
  ['anna@example.com', { kind: 'person', id: 'usr_1', name: 'anna@example.com' }],
  ['person', { kind: 'person', id: null, name: null }],
  ['-', null],
] as const)('a list of jobs says who started one: %s', (shown, startedBy) => {
  expect(jobTable([{ ...JOB, startedBy }])).toMatch(new RegExp(`a\\.fpl +${shown} +2030-01-01T00:00:00.000Z +done$`))
})
