import { pages } from '@plantroom/client/pages'
import type { NamedJob } from '@plantroom/contract/jobs'
import { wholeNumber } from '../../arguments.ts'
import { SITE_FLAGS, siteClient } from '../../clients.ts'
import { valued } from '../../command.ts'
import { verb } from '../../declare.ts'
import { print, table } from '../../output.ts'

const LARGEST_PAGE = 1000

export const jobs = verb({
  about: 'list the jobs of the site and who started them, newest first',
  options: { ...SITE_FLAGS, limit: valued('N', 'at most N; 20 by default') },
  json: '[{id, name, filename, startedBy, scheduled, status, …}]',
  async run(flags) {
    const limit = wholeNumber(flags.limit ?? '20', '--limit')
    const { client, site } = await siteClient(flags)
    const found: NamedJob[] = []
    const pageOf = (cursor: string | undefined) =>
      client.listJobs({ ...site, query: { limit: Math.min(LARGEST_PAGE, limit - found.length), cursor } })
    for await (const page of pages(pageOf)) {
      found.push(...page.jobs)
      if (found.length >= limit) break
    }
    print(flags.json, found, () => jobTable(found))
  },
})

/** Formats jobs as a table. */
export function jobTable(found: readonly NamedJob[]): string {
  const row = (job: NamedJob) => [job.id, job.name, job.filename, starterOf(job), job.scheduled, stateOf(job)]
  return table(['JOB', 'KIND', 'FILE', 'STARTED BY', 'STARTED', 'STATE'], found.map(row), 'no jobs yet')
}

function starterOf({ startedBy }: NamedJob): string {
  if (startedBy === null) return '-'
  if (startedBy.kind === 'schedule') return 'Schedule'
  if (startedBy.kind === 'operator') return 'Operator'
  // A key sees no names of others.
  if (startedBy.name === null) return startedBy.kind === 'key' ? 'another API key' : startedBy.kind
  return startedBy.kind === 'key' ? `${startedBy.name} (API key)` : startedBy.name
}

function stateOf({ status, resolved }: NamedJob): string {
  if (status === 'ERROR') return resolved ? 'failed' : 'waits for another attempt'
  return { SCHEDULED: 'waiting', RUNNING: 'running', SUCCESS: 'done' }[status]
}
