import type { Permission } from '@plantroom/contract/permissions'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** A key that is not revoked, with what it gives access to. */
export interface ActiveKey {
  id: string
  organizationId: string
  name: string
  hash: Buffer
  permissions: ReadonlySet<Permission>
  /** `undefined` for all sites of the organization, including future ones. */
  siteIds: ReadonlySet<string> | undefined
}

/** A key as administrators see it in a list. */
interface ListedKey {
  id: string
  name: string
  permissions: Permission[]
  siteIds: string[] | null
  createdAt: Date
  lastUsedAt: Date | null
  revokedAt: Date | null
}

interface KeyToAdd {
  id: string
  organizationId: string
  name: string
  hash: Buffer
  permissions: readonly Permission[]
  siteIds: readonly string[] | null
}

export type KeyStore = ReturnType<typeof createKeyStore>

export function createKeyStore(db: Db) {
  const activeKeys = db
    .selectFrom('api_key')
    .where('revoked_at', 'is', null)
    .select((eb) => [
      'id',
      'organization_id',
      'name',
      'secret_hash',
      'permissions',
      'all_sites',
      sql<
        string[]
      >`ARRAY(${eb.selectFrom('api_key_site').whereRef('api_key_id', '=', 'api_key.id').select('site_id')})`.as(
        'site_ids',
      ),
    ])

  type Row = Awaited<ReturnType<typeof activeKeys.execute>>[number]
  const toActiveKey = (row: Row): ActiveKey => ({
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    hash: row.secret_hash,
    permissions: new Set(row.permissions),
    siteIds: row.all_sites ? undefined : new Set(row.site_ids),
  })

  return {
    loadActive: async () => (await activeKeys.execute()).map(toActiveKey),

    async loadActiveOne(id: string) {
      const row = await activeKeys.where('id', '=', id).executeTakeFirst()
      return row && toActiveKey(row)
    },

    add: (key: KeyToAdd) =>
      db.transaction().execute(async (tx) => {
        await tx
          .insertInto('api_key')
          .values({
            id: key.id,
            organization_id: key.organizationId,
            name: key.name,
            secret_hash: key.hash,
            permissions: [...key.permissions],
            all_sites: key.siteIds === null,
          })
          .execute()
        const sites = (key.siteIds ?? []).map((siteId) => ({
          api_key_id: key.id,
          organization_id: key.organizationId,
          site_id: siteId,
        }))
        if (sites.length > 0) await tx.insertInto('api_key_site').values(sites).execute()
      }),

    list: (organizationId: string): Promise<ListedKey[]> => listKeys(db, organizationId),

    /** Revokes a key permanently. False when the organization has no such key. */
    async revoke(organizationId: string, id: string, at: Date): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('api_key')
        .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', eb.val(at)) }))
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async setLastUsed(uses: ReadonlyMap<string, number>): Promise<void> {
      await sql`
        UPDATE api_key SET last_used_at = GREATEST(last_used_at, used.at)
        FROM unnest(${[...uses.keys()]}::text[], ${[...uses.values()].map((ms) => new Date(ms))}::timestamptz[]) AS used (id, at)
        WHERE api_key.id = used.id`.execute(db)
    },
  }
}

async function listKeys(db: Db, organizationId: string): Promise<ListedKey[]> {
  const rows = await db
    .selectFrom('api_key')
    .where('organization_id', '=', organizationId)
    .selectAll()
    .select((eb) => [
      sql<
        string[]
      >`ARRAY(${eb.selectFrom('api_key_site').whereRef('api_key_id', '=', 'api_key.id').select('site_id').orderBy('site_id')})`.as(
        'site_ids',
      ),
    ])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    permissions: row.permissions,
    siteIds: row.all_sites ? null : row.site_ids,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  }))
}
