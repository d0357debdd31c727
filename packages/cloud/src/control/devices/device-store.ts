import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

export interface Device {
  id: string
  organizationId: string
  siteId: string
  name: string
  secretHash: Buffer
  createdAt: Date
}

/** The time in microseconds, which a `Date` does not hold. */
const position = sql<string>`(extract(epoch FROM created_at) * 1000000)::bigint`

/** SQL has no empty list. */
const NO_SITE = ''

function isAfter(cursor: string) {
  const [microseconds = '', id = ''] = cursor.split('.')
  const time = sql`to_timestamp(0) + ${microseconds}::bigint * interval '1 microsecond'`
  return sql<SqlBool>`(created_at, id) > (${time}, ${id})`
}

type NamedDevice = Pick<Device, 'name' | 'siteId'>

export type DeviceStore = ReturnType<typeof createDeviceStore>

export function createDeviceStore(db: Db) {
  const devices = db
    .selectFrom('device')
    .select([
      'id',
      'organization_id as organizationId',
      'site_id as siteId',
      'name',
      'secret_hash as secretHash',
      'created_at as createdAt',
    ])

  return {
    loadAll: (): Promise<Device[]> => devices.execute(),
    loadOne: (id: string): Promise<Device | undefined> => devices.where('id', '=', id).executeTakeFirst(),

    /** Lists devices of an organization, oldest first. `siteIds` limits them to these sites. */
    async list(
      organizationId: string,
      page: { siteIds?: readonly string[] | undefined; cursor?: string | undefined; limit: number },
    ): Promise<{ devices: Device[]; nextCursor: string | null }> {
      const { siteIds, cursor, limit } = page
      let rows = devices.select(position.as('position')).where('organization_id', '=', organizationId)
      if (siteIds) rows = rows.where('site_id', 'in', [...siteIds, NO_SITE])
      if (cursor !== undefined) rows = rows.where(isAfter(cursor))
      // One extra row shows whether there is a next page.
      const found = await rows
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit + 1)
        .execute()
      const listed = found.slice(0, limit)
      const last = found.length > limit ? listed.at(-1) : undefined
      return {
        devices: listed.map(({ position: _, ...device }) => device),
        nextCursor: last ? `${last.position}.${last.id}` : null,
      }
    },

    async add(device: Omit<Device, 'createdAt'>): Promise<void> {
      await db
        .insertInto('device')
        .values({
          id: device.id,
          organization_id: device.organizationId,
          site_id: device.siteId,
          name: device.name,
          secret_hash: device.secretHash,
        })
        .execute()
    },

    /** Returns the device; `undefined` when the organization has no such device. */
    setSecret: (organizationId: string, id: string, secretHash: Buffer): Promise<NamedDevice | undefined> =>
      db
        .updateTable('device')
        .set({ secret_hash: secretHash })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .returning(['name', 'site_id as siteId'])
        .executeTakeFirst(),

    /** Returns the device; `undefined` when the organization has no such device. */
    rename: (organizationId: string, id: string, name: string): Promise<NamedDevice | undefined> =>
      db
        .updateTable('device')
        .set({ name })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .returning(['name', 'site_id as siteId'])
        .executeTakeFirst(),

    /** Returns the device that was removed; `undefined` when the organization has no such device. */
    remove: (organizationId: string, id: string): Promise<NamedDevice | undefined> =>
      db
        .deleteFrom('device')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .returning(['name', 'site_id as siteId'])
        .executeTakeFirst(),
  }
}
