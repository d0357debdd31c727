import { pages } from '@plantroom/client/pages'
import type { NamedJob } from '@plantroom/contract/jobs'
import { wholeNumber } from '../../arguments.ts'
import { SITE_FLAGS, siteClient } from '../../clients.ts'
import { parse, positionals } from '../../command.ts'
import { print, table } from '../../output.ts'

const LARGEST_PAGE = 1000

/** Runs `plantroom package jobs`: lists the jobs of the site, newest first. */
export async function jobs(args: readonly string[]): Promise<void> {
  const { values: flags, positionals: given } = parse(args, { ...SITE_FLAGS, limit: { type: 'string' } })
  positionals(given)
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
}

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
