import type { Permission } from '@plantroom/contract/permissions'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../platform/db/database.ts'
import { givenRows } from '../../../platform/db/given-rows.ts'

/** A key that is not revoked, with what it gives access to. It may have expired. */
export interface ActiveKey {
  id: string
  organizationId: string
  name: string
  hash: Buffer
  /** The secret before the last rotation. */
  previous: { hash: Buffer; until: number } | undefined
  expiresAt: number | undefined
  permissions: ReadonlySet<Permission>
  /** `undefined` for all sites of the organization, including future ones. */
  siteIds: ReadonlySet<string> | undefined
}

/** The last use of a key. */
export interface KeyUse {
  at: number
  address: string
}

interface KeyToAdd {
  id: string
  organizationId: string
  name: string
  hash: Buffer
  permissions: readonly Permission[]
  siteIds: readonly string[] | null
  expiresAt?: Date | null
}

interface Rotation {
  hash: Buffer
  at: Date
  /** Until when the present secret works; it ends immediately when this is not after `at`. */
  previousUntil: Date
  /** Stays as it is when `undefined`. */
  expiresAt: Date | null | undefined
}

export type KeyStore = ReturnType<typeof createKeyStore>

export function createKeyStore(db: Db) {
  const activeKeys = db
    .selectFrom('api_key')
    .where('revoked_at', 'is', null)
    .select(['id', 'organization_id', 'name', 'secret_hash', 'previous_hash', 'previous_until', 'expires_at'])
    .select(['permissions', 'all_sites', siteIdsOf()])

  type Row = Awaited<ReturnType<typeof activeKeys.execute>>[number]
  const toActiveKey = (row: Row): ActiveKey => ({
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    hash: row.secret_hash,
    previous:
      row.previous_hash && row.previous_until
        ? { hash: row.previous_hash, until: row.previous_until.getTime() }
        : undefined,
    expiresAt: row.expires_at?.getTime(),
    permissions: new Set(row.permissions),
    siteIds: row.all_sites ? undefined : new Set(row.site_ids),
  })

  return {
    loadActive: async () => (await activeKeys.execute()).map(toActiveKey),

    async loadActiveOne(id: string) {
      const row = await activeKeys.where('id', '=', id).executeTakeFirst()
      return row && toActiveKey(row)
    },

    add: (key: KeyToAdd) => addKey(db, key),

    list: (organizationId: string, now: Date) => listKeys(db, organizationId, now),

    /** Gives a key that works a new secret. Returns the key, or `undefined` when it is unknown, expired or revoked. */
    async rotate(organizationId: string, id: string, { hash, at, previousUntil, expiresAt }: Rotation) {
      const overlaps = previousUntil > at
      return db
        .updateTable('api_key')
        .set((eb) => ({
          secret_hash: hash,
          rotated_at: at,
          previous_hash: overlaps ? eb.ref('secret_hash') : null,
          previous_until: overlaps ? previousUntil : null,
          ...(expiresAt !== undefined && { expires_at: expiresAt }),
        }))
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
        .returning(['id', 'name', 'permissions', 'all_sites', 'expires_at', siteIdsOf()])
        .executeTakeFirst()
    },

    /** True when the organization has such a key, whatever its state. */
    async exists(organizationId: string, id: string): Promise<boolean> {
      const found = db.selectFrom('api_key').where('organization_id', '=', organizationId).where('id', '=', id)
      return (await found.select('id').executeTakeFirst()) !== undefined
    },

    /** Revokes a key permanently. Returns the key, or `undefined` when the organization has no such key. */
    revoke: (organizationId: string, id: string, at: Date): Promise<{ name: string } | undefined> =>
      db
        .updateTable('api_key')
        .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', eb.val(at)) }))
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .returning('name')
        .executeTakeFirst(),

    async setLastUsed(uses: ReadonlyMap<string, KeyUse>): Promise<void> {
      await sql`
        UPDATE api_key SET
          last_used_from = CASE WHEN given.at < last_used_at THEN last_used_from ELSE given.address END,
          last_used_at = GREATEST(last_used_at, given.at)
        FROM ${givenRows([...uses], {
          id: ['text', ([id]) => id],
          at: ['timestamptz', ([, { at }]) => new Date(at)],
          address: ['text', ([, { address }]) => address],
        })}
        WHERE api_key.id = given.id`.execute(db)
    },
  }
}

const siteIdsOf = () =>
  sql<string[]>`ARRAY(SELECT site_id FROM api_key_site WHERE api_key_id = api_key.id ORDER BY site_id)`.as('site_ids')

function addKey(db: Db, key: KeyToAdd): Promise<void> {
  return inTransaction(db, async (tx) => {
    await tx
      .insertInto('api_key')
      .values({
        id: key.id,
        organization_id: key.organizationId,
        name: key.name,
        secret_hash: key.hash,
        permissions: [...key.permissions],
        all_sites: key.siteIds === null,
        expires_at: key.expiresAt ?? null,
      })
      .execute()
    const sites = (key.siteIds ?? []).map((siteId) => ({
      api_key_id: key.id,
      organization_id: key.organizationId,
      site_id: siteId,
    }))
    if (sites.length > 0) await tx.insertInto('api_key_site').values(sites).execute()
  })
}

/** The keys of an organization as administrators see them, the oldest first. */
async function listKeys(db: Db, organizationId: string, now: Date) {
  const rows = await db
    .selectFrom('api_key')
    .where('organization_id', '=', organizationId)
    .selectAll()
    .select([
      siteIdsOf(),
      sql<number>`(
        SELECT count(*)::integer FROM override_owner AS own
        WHERE own.placed_by = api_key.id AND own.ends_at > ${now} AND NOT EXISTS (
          SELECT FROM report
          WHERE report.device_id = own.device_id AND report.override_id = own.override_id AND report.phase = 'released'
        ))`.as('overrides'),
      sql<number>`(
        SELECT count(*)::integer FROM override_release WHERE placed_by = api_key.id AND NOT confirmed
      )`.as('pending_devices'),
    ])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    permissions: row.permissions,
    siteIds: row.all_sites ? null : row.site_ids,
    state: stateOf(row, now),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    lastUsedFrom: row.last_used_from,
    rotatedAt: row.rotated_at,
    previousSecretUntil: row.previous_until && row.previous_until > now ? row.previous_until : null,
    revokedAt: row.revoked_at,
    overrides: row.overrides,
    pendingDevices: row.pending_devices,
  }))
}

function stateOf(
  { revoked_at, expires_at }: { revoked_at: Date | null; expires_at: Date | null },
  now: Date,
): 'active' | 'expired' | 'revoked' {
  if (revoked_at) return 'revoked'
  return expires_at && expires_at <= now ? 'expired' : 'active'
}
