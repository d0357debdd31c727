import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import { MAX_ORGANIZATION_TAGS, MAX_SITE_TAGS } from '@plantroom/contract/site-tags'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** Tags to give to sites and to take from them. */
export interface TagChanges {
  add: readonly string[]
  remove: readonly string[]
}

interface TaggedSite {
  id: string
  name: string
  tags: string[]
}

/** The tags of a site, in the order of their names. */
export const tagsOf = (siteId: RawBuilder<unknown>) =>
  sql<string[]>`ARRAY(SELECT tag FROM site_tag WHERE site_tag.site_id = ${siteId} ORDER BY tag)`

/**
 * Changes the tags of all sites or of none, in the transaction of the caller. Resolves with the sites, and those of them
 * that have other tags than before.
 */
export async function changeSiteTags(
  tx: Db,
  organizationId: string,
  siteIds: readonly string[],
  { add, remove }: TagChanges,
): Promise<{ organization: string; sites: TaggedSite[]; changed: TaggedSite[] }> {
  // Concurrent changes run one by one: the limits count what others added.
  const organization = await tx
    .selectFrom('organization')
    .where('id', '=', organizationId)
    .select('name')
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!organization) throw new Failure('notFound', `there is no organization ${shown(organizationId)}`)
  const before = await readSites(tx, organizationId, siteIds)
  if (before.length < siteIds.length) {
    throw new Failure('invalid', 'siteIds contains a site that this organization does not have', 'siteIds')
  }
  await sql`DELETE FROM site_tag WHERE site_id = ANY (${siteIds}::text[]) AND tag = ANY (${remove}::text[])`.execute(tx)
  await sql`
    INSERT INTO site_tag (organization_id, site_id, tag)
    SELECT ${organizationId}, site_id, tag FROM unnest(${siteIds}::text[]) AS site_id, unnest(${add}::text[]) AS tag
    ON CONFLICT DO NOTHING`.execute(tx)
  const sites = await readSites(tx, organizationId, siteIds)
  await requireLimits(tx, organizationId, sites)
  const tagsBefore = new Map(before.map(({ id, tags }) => [id, JSON.stringify(tags)]))
  const changed = sites.filter(({ id, tags }) => tagsBefore.get(id) !== JSON.stringify(tags))
  return { organization: organization.name, sites, changed }
}

async function readSites(tx: Db, organizationId: string, siteIds: readonly string[]): Promise<TaggedSite[]> {
  const { rows } = await sql<TaggedSite>`
    SELECT id, name, ${tagsOf(sql`site.id`)} AS tags FROM site
    WHERE organization_id = ${organizationId} AND id = ANY (${siteIds}::text[])
    ORDER BY name, id`.execute(tx)
  return rows
}

async function requireLimits(tx: Db, organizationId: string, sites: readonly TaggedSite[]): Promise<void> {
  const full = sites.find(({ tags }) => tags.length > MAX_SITE_TAGS)
  if (full) {
    throw new Failure(
      'conflict',
      `the site "${shown(full.name)}" would have more than ${MAX_SITE_TAGS} tags: take some away first`,
    )
  }
  const { rows } = await sql<{ count: number }>`
    SELECT count(DISTINCT tag)::integer AS count FROM site_tag WHERE organization_id = ${organizationId}`.execute(tx)
  if ((rows[0]?.count ?? 0) > MAX_ORGANIZATION_TAGS) {
    throw new Failure(
      'conflict',
      `the organization would have more than ${MAX_ORGANIZATION_TAGS} different tags: use existing ones, or take some away first`,
    )
  }
}
