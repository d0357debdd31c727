import {
  type FillOutput,
  type ImportOutput,
  MAX_LISTED_NAMES,
  type MissingCounts,
  type MissingKind,
  type Unlisted,
  type UnmatchedEmail,
} from '@plantroom/contract/jobs'
import { type Expression, sql } from 'kysely'
import { inBatches } from '../../platform/db/batches.ts'
import type { Db } from '../../platform/db/database.ts'
import { insertGiven } from '../../platform/db/given-rows.ts'
import { type JobRow, requireClaim } from '../../platform/jobs/index.ts'
import { planRemoval } from '../uploads/index.ts'
import type { Outcome } from './choices.ts'
import { type Finding, mergeFindings } from './plan.ts'

interface FindingLists {
  /** Tags that are created. */
  tags: string[]
  /** Units that are left. */
  units: string[]
  /** Addresses that are left. */
  emails: UnmatchedEmail[]
  /** The number of all of them, listed or not. */
  counts: MissingCounts
  /** The number of those that are not listed, if there are any. */
  unlisted: Unlisted | undefined
}

/** Saves findings of a job. A finding that the job already has only adds its roles. */
export async function addFindings(db: Db, jobId: string, found: Iterable<Finding>): Promise<void> {
  for (const some of inBatches(found)) await addSome(db, jobId, mergeFindings(some))
}

async function addSome(db: Db, jobId: string, findings: readonly Finding[]): Promise<void> {
  await sql`
    ${insertGiven('job_finding', { job_id: jobId }, findings, {
      kind: 'text',
      key: 'text',
      value: 'text',
      roles: 'text[]',
      outcome: 'text',
      position: 'bigint',
    })}
    ON CONFLICT (job_id, kind, key) DO UPDATE
      SET roles = ARRAY(SELECT DISTINCT unnest(job_finding.roles || excluded.roles) ORDER BY 1)
      WHERE NOT job_finding.roles @> excluded.roles`.execute(db)
}

export async function removeFindings(db: Db, jobId: string): Promise<void> {
  await db.deleteFrom('job_finding').where('job_id', '=', jobId).execute()
}

/** Returns the findings for the output of a job, in order of appearance. */
export async function listFindings(db: Db, jobId: string): Promise<FindingLists> {
  const first = (kind: Finding['kind'], outcome: Outcome) =>
    db
      .selectFrom('job_finding')
      .where('job_id', '=', jobId)
      .where('kind', '=', kind)
      .where('outcome', '=', outcome)
      .select(['value', 'roles'])
      .orderBy('position')
      .limit(MAX_LISTED_NAMES)
      .execute()
  const tags = await first('tag', 'created')
  const [units, emails] = [await first('unit', 'left'), await first('email', 'left')]
  const counts = await countFindings(db, jobId)
  const unlisted = {
    tags: counts.tags.created - tags.length,
    units: counts.units.left - units.length,
    people: counts.people.left - emails.length,
  }
  return {
    tags: tags.map(({ value }) => value),
    units: units.map(({ value }) => value),
    emails: emails.map(({ value, roles }) => ({ email: value, roles })),
    counts,
    unlisted: Object.values(unlisted).some((count) => count > 0) ? unlisted : undefined,
  }
}

const KIND_OF = { unit: 'units', email: 'people', tag: 'tags' } as const satisfies Record<Finding['kind'], MissingKind>

async function countFindings(db: Db, jobId: string): Promise<MissingCounts> {
  const rows = await db
    .selectFrom('job_finding')
    .where('job_id', '=', jobId)
    .groupBy(['kind', 'outcome'])
    .select(({ fn }) => ['kind', 'outcome', fn.countAll<string>().as('count')] as const)
    .execute()
  const none = () => ({ created: 0, mapped: 0, left: 0 })
  const counts = { units: none(), people: none(), tags: none() }
  for (const { kind, outcome, count } of rows) counts[KIND_OF[kind]][outcome] = Number(count)
  return counts
}

/** Returns the output of an import or a fill that has written everything, or undefined. */
export async function findResult<Output extends ImportOutput | FillOutput>(
  db: Db,
  jobId: string,
): Promise<Output | undefined> {
  const row = await db.selectFrom('import_result').where('job_id', '=', jobId).select('output').executeTakeFirst()
  return row?.output as Output | undefined
}

/**
 * Saves the output of an import or a fill that has written everything: no later attempt needs its package. That of an
 * import is to be removed from here on.
 */
export async function saveResult(db: Db, job: JobRow, output: ImportOutput | FillOutput): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await requireClaim(trx, job)
    await trx
      .insertInto('import_result')
      .values({ job_id: job.id, output: JSON.stringify(output) })
      .execute()
    if (job.name === 'TICKET_IMPORT') await planRemoval(trx, job)
  })
}

/** How far an import has come over all of its attempts. */
export interface ImportProgress {
  /** Requests that it created. */
  created: number
  /** The first requests of the package, all of which are on the site. */
  passed: number
  /** Requests of the package; undefined before the first batch. */
  total: number | undefined
}

/** Records how far an import has come. Call it in the transaction that writes a batch. */
export async function recordPassed(
  trx: Db,
  jobId: string,
  { passed, total }: Pick<ImportProgress, 'passed'> & { total: number },
): Promise<void> {
  await sql`
    INSERT INTO import_progress (job_id, passed, total) VALUES (${jobId}, ${passed}, ${total})
    ON CONFLICT (job_id) DO UPDATE
      SET passed = greatest(import_progress.passed, excluded.passed), total = excluded.total`.execute(trx)
}

export async function importedSoFar(db: Db, jobId: string): Promise<ImportProgress> {
  const progress = await db
    .selectFrom('import_progress')
    .where('job_id', '=', jobId)
    .select(['passed', 'total'])
    .executeTakeFirst()
  const { rows } = await sql<{ created: number }>`
    SELECT count(*)::integer AS created FROM ticket WHERE job_id = ${jobId}`.execute(db)
  return { created: rows[0]?.created ?? 0, passed: progress?.passed ?? 0, total: progress?.total ?? undefined }
}

interface StoredExport {
  siteId: string
  jobId: string
}

/** True for an export whose package no automatic export still has to deliver. */
const isDelivered = (jobId: Expression<unknown>) => sql`NOT EXISTS (
  SELECT FROM automatic_export_run run WHERE run.job_id = ${jobId} AND run.state IN ('exporting', 'delivering')
)`

/** Lists exports that ended before a time and may still have their package, oldest first. */
export async function listOldExports(db: Db, before: Date, limit: number): Promise<StoredExport[]> {
  const { rows } = await sql<StoredExport>`
    SELECT site_id AS "siteId", id AS "jobId" FROM job
    WHERE name = 'TICKET_EXPORT' AND status = 'SUCCESS' AND finished_at < ${before} AND output ->> 'url' <> ''
      AND ${isDelivered(sql.ref('job.id'))}
    ORDER BY finished_at LIMIT ${limit}`.execute(db)
  return rows
}

/** Lists finished exports that have a package although at least `kept` newer ones of their site do, oldest first. */
export async function listSurplusExports(
  db: Db,
  { siteId, kept, limit }: { siteId?: string; kept: number; limit: number },
): Promise<StoredExport[]> {
  const { rows } = await sql<StoredExport>`
    SELECT "siteId", "jobId" FROM (
      SELECT site_id AS "siteId", id AS "jobId", position,
        row_number() OVER (PARTITION BY site_id ORDER BY position DESC) AS place
      FROM job
      WHERE name = 'TICKET_EXPORT' AND status = 'SUCCESS' AND output ->> 'url' <> ''
        AND (${siteId ?? null}::text IS NULL OR site_id = ${siteId ?? null})
    ) AS finished
    WHERE place > ${kept} AND ${isDelivered(sql.ref('jobId'))} ORDER BY position LIMIT ${limit}`.execute(db)
  return rows
}

/** Lists exports that failed since a time. One that died right before its end left a package behind. */
export async function listFailedExports(db: Db, since: Date): Promise<StoredExport[]> {
  const { rows } = await sql<StoredExport>`
    SELECT site_id AS "siteId", id AS "jobId" FROM job
    WHERE name = 'TICKET_EXPORT' AND status = 'ERROR' AND resolved AND finished_at >= ${since}`.execute(db)
  return rows
}

/** Clears the address in the output of an export, so that it shows no download. */
export async function markExportRemoved(db: Db, jobId: string): Promise<void> {
  await sql`UPDATE job SET output = jsonb_set(output, '{url}', '""') WHERE id = ${jobId}`.execute(db)
}
