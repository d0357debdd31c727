import { newId } from '@plantroom/base/ids'
import type { Mapping, SourceName } from '@plantroom/contract/conversion'
import type { KeptMapping } from '@plantroom/contract/conversion-jobs'
import { Failure } from '@plantroom/contract/failure'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** More than anyone looks through. */
export const MAX_MAPPINGS = 50

export type MappingStore = ReturnType<typeof createMappingStore>

/** The mappings that a site keeps. */
export function createMappingStore(db: Db) {
  const ofSite = (siteId: string) =>
    db
      .selectFrom('conversion_mapping')
      .where('site_id', '=', siteId)
      .select(['id', 'source', 'name', 'mapping', 'saved_at'])

  return {
    /** Newest first. */
    async list(siteId: string, source?: SourceName): Promise<KeptMapping[]> {
      let rows = ofSite(siteId)
      if (source !== undefined) rows = rows.where('source', '=', source)
      return (await rows.orderBy('saved_at', 'desc').orderBy('id').execute()).map(toKept)
    },

    /** Replaces one of the same source and name. Throws `conflict` when the site keeps as many as it may. */
    async save(siteId: string, kept: { source: SourceName; name: string; mapping: Mapping; at: Date }) {
      const { source, name, mapping, at } = kept
      // Two people who save at once must not exceed the bound together.
      await sql`SELECT 1 FROM site WHERE id = ${siteId} FOR NO KEY UPDATE`.execute(db)
      const { rows } = await sql`
        INSERT INTO conversion_mapping (id, site_id, source, name, mapping, saved_at)
        SELECT ${newId('mapping')}, ${siteId}, ${source}, ${name}, ${JSON.stringify(mapping)}::json, ${at}
        WHERE (SELECT count(*) FROM conversion_mapping WHERE site_id = ${siteId}) < ${MAX_MAPPINGS}
          OR EXISTS (SELECT FROM conversion_mapping WHERE site_id = ${siteId} AND source = ${source} AND name = ${name})
        ON CONFLICT ON CONSTRAINT conversion_mapping_name
          DO UPDATE SET mapping = excluded.mapping, saved_at = excluded.saved_at
        RETURNING 1`.execute(db)
      if (rows.length === 0) {
        throw new Failure('conflict', `the site keeps ${MAX_MAPPINGS} mappings already: remove one first`)
      }
      const saved = await ofSite(siteId).where('source', '=', source).where('name', '=', name).executeTakeFirstOrThrow()
      return toKept(saved)
    },

    async remove(siteId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('conversion_mapping')
        .where('site_id', '=', siteId)
        .where('id', '=', id)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}

function toKept(row: { id: string; source: SourceName; name: string; mapping: Mapping; saved_at: Date }): KeptMapping {
  const { id, source, name, mapping, saved_at } = row
  return { id, source, name, savedAt: formatTimestamp(saved_at.getTime()), mapping }
}
