import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Db } from '@plantroom/cloud/db/database'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { CrashingService } from './crashing-service.ts'
import type { PackageSite } from './package-service.ts'
import type { SourcePackage, SourceTicket } from './source-package.ts'

interface AuditedFile {
  name: string
  sha256: string
}

interface AuditedTicket {
  externalId: string
  number: number
  tags: string[]
  attachments: AuditedFile[]
  comments: { content: string; attachments: AuditedFile[] }[]
}

interface AuditedService extends Pick<CrashingService, 'db' | 'data'> {
  /** Returns the hashes of a site's files if they are not in the data folder. */
  blobsOf?(siteId: string): string[]
}

export const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Checks that the site has every request of the package once, complete with its files, and nothing else. */
export async function expectWhole(service: AuditedService, site: PackageSite, source: SourcePackage): Promise<void> {
  const { db, data, blobsOf = (siteId) => blobsIn(data, siteId) } = service
  const there = await ticketsOn(db, site.siteId)
  expect(there.map(({ number, ...rest }) => rest)).toEqual(source.tickets.map((each) => expectedTicket(each, source)))
  // Numbers follow the order of the package, without duplicates.
  for (const [index, { number }] of there.entries()) {
    expect(number).toBeGreaterThan(there[index - 1]?.number ?? 0)
  }
  const named = there.flatMap((each) => filesOf(each).map((file) => file.sha256))
  expect([...blobsOf(site.siteId)].sort()).toEqual([...new Set(named)].sort())
}

/** Downloads the files of some requests through the API and checks them. */
export async function expectDownloads(site: PackageSite, source: SourcePackage, numbers: readonly number[]) {
  for (const number of numbers) {
    const ticket = await site.client.getRequest({ ...site.ids, number: number })
    const all = [...ticket.attachments, ...ticket.comments.flatMap(({ attachments }) => attachments)]
    const fetched: AuditedFile[] = []
    for (const { id, name } of all) {
      const { url } = await site.client.getAttachmentUrl({ ...site.ids, number, attachmentId: id })
      const response = await fetch(url)
      fetched.push({ name, sha256: sha256(new Uint8Array(await response.arrayBuffer())) })
    }
    const wanted = source.tickets.find(({ externalId }) => externalId === ticket.externalId)
    expect(fetched).toEqual(wanted && filesOf(expectedTicket(wanted, source)))
  }
}

/** Checks that no process left unfinished files, apart from the locked folders of running ones. */
export function expectNothingUnfinished(data: string): void {
  const files = treeOf(join(data, 'files/unfinished')).filter((path) => !/\/lock(-journal)?$/.test(path))
  expect(files).toEqual([])
}

/** Lists every file below a folder. */
export function treeOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** Counts the rows of each table, except those of jobs and of their turns. */
export async function rowsOf(db: Db): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_name NOT LIKE 'job%' AND table_name <> 'work_turn' ORDER BY 1`.execute(db)
  const counted: Record<string, number> = {}
  for (const { name } of rows) {
    const found = await sql<{ count: number }>`SELECT count(*)::integer AS count FROM ${sql.table(name)}`.execute(db)
    counted[name] = found.rows[0]?.count ?? 0
  }
  return counted
}

/** Reports whether a job is resolved, even if the API does not show the job. */
export async function isResolved(db: Db, jobId: string): Promise<boolean> {
  const job = await db.selectFrom('job').where('id', '=', jobId).select('resolved').executeTakeFirstOrThrow()
  return job.resolved
}

/** Returns the length and the hash of a description that is too long to compare. */
export async function descriptionOf(db: Db, siteId: string, externalId: string) {
  const { rows } = await sql<{ length: number; sha256: string }>`
    SELECT length(description), encode(sha256(convert_to(description, 'UTF8')), 'hex') AS sha256
    FROM ticket WHERE site_id = ${siteId} AND external_id = ${externalId}`.execute(db)
  return rows[0]
}

const filesOf = ({ attachments, comments }: Pick<AuditedTicket, 'attachments' | 'comments'>) => [
  ...attachments,
  ...comments.flatMap((comment) => comment.attachments),
]

function expectedTicket(ticket: SourceTicket, { files }: SourcePackage): Omit<AuditedTicket, 'number'> {
  const audited = ({ path }: { path: string }) => ({
    name: path.slice(path.lastIndexOf('/') + 1),
    sha256: sha256(files[path] ?? ''),
  })
  return {
    externalId: ticket.externalId,
    tags: ticket.tags,
    attachments: ticket.attachments.map(audited),
    comments: ticket.comments.map(({ content, attachments }) => ({ content, attachments: attachments.map(audited) })),
  }
}

/** Returns the requests of a site, ordered by number. */
export async function ticketsOn(db: Db, siteId: string): Promise<AuditedTicket[]> {
  const { rows } = await sql<AuditedTicket>`
    SELECT external_id AS "externalId", number,
      ARRAY(
        SELECT name FROM ticket_tag JOIN tag ON tag.id = tag_id WHERE ticket_id = ticket.id ORDER BY position
      ) AS tags,
      ${filesWhere(sql`comment_position IS NULL`)} AS attachments,
      coalesce((
        SELECT json_agg(json_build_object(
          'content', content, 'attachments', ${filesWhere(sql`comment_position = ticket_comment.position`)}
        ) ORDER BY position)
        FROM ticket_comment WHERE ticket_id = ticket.id
      ), '[]') AS comments
    FROM ticket WHERE site_id = ${siteId} ORDER BY number`.execute(db)
  return rows
}

const filesWhere = (condition: ReturnType<typeof sql>) => sql`
  coalesce((
    SELECT json_agg(json_build_object('name', name, 'sha256', encode(sha256, 'hex')) ORDER BY ticket_attachment.position)
    FROM ticket_attachment WHERE ticket_attachment.ticket_id = ticket.id AND ${condition}
  ), '[]')`

/** Returns the hashes of the site's files, computed from their bytes. */
function blobsIn(data: string, siteId: string): string[] {
  const folder = join(data, 'files/blobs', siteId)
  if (!statSync(folder, { throwIfNoEntry: false })) return []
  return treeOf(folder).map((path) => sha256(readFileSync(path)))
}
