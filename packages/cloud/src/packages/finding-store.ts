import type { UnmatchedEmail } from '@plantroom/contract/jobs'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { type Finding, mergeFindings } from './plan.ts'

/** As many of each kind does the output of a job show. */
const SHOWN = 1000

interface FindingLists {
  tags: string[]
  /** All of them, shown or not. */
  tagCount: number
  units: string[]
  emails: UnmatchedEmail[]
}

/** Keeps what was found, each once in a job, wherever else it is found. */
export async function addFindings(db: Db, jobId: string, found: Iterable<Finding>): Promise<void> {
  const findings = mergeFindings(found)
  if (findings.length === 0) return
  await sql`
    INSERT INTO job_finding (job_id, kind, key, value, roles, position)
    SELECT ${jobId}, kind, key, value, string_to_array(roles, ','), position
    FROM unnest(
      ${findings.map(({ kind }) => kind)}::text[],
      ${findings.map(({ key }) => key)}::text[],
      ${findings.map(({ value }) => value)}::text[],
      ${findings.map(({ roles }) => roles.join(','))}::text[],
      ${findings.map(({ position }) => position)}::bigint[]
    ) AS found (kind, key, value, roles, position)
    ON CONFLICT (job_id, kind, key) DO UPDATE
      SET roles = ARRAY(SELECT DISTINCT unnest(job_finding.roles || excluded.roles) ORDER BY 1)
      WHERE NOT job_finding.roles @> excluded.roles`.execute(db)
}

export async function removeFindings(db: Db, jobId: string): Promise<void> {
  await db.deleteFrom('job_finding').where('job_id', '=', jobId).execute()
}

/** What the output of a job shows, in order of appearance. */
export async function listFindings(db: Db, jobId: string): Promise<FindingLists> {
  const first = (kind: Finding['kind']) =>
    db
      .selectFrom('job_finding')
      .where('job_id', '=', jobId)
      .where('kind', '=', kind)
      .select(['value', 'roles'])
      .orderBy('position')
      .limit(SHOWN)
      .execute()
  const [tags, units, emails] = [await first('tag'), await first('unit'), await first('email')]
  const { count } = await db
    .selectFrom('job_finding')
    .where('job_id', '=', jobId)
    .where('kind', '=', 'tag')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return {
    tags: tags.map(({ value }) => value),
    tagCount: Number(count),
    units: units.map(({ value }) => value),
    emails: emails.map(({ value, roles }) => ({ email: value, roles })),
  }
}
