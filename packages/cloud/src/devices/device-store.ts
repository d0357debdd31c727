import type { Db } from '../db/database.ts'

export interface Device {
  id: string
  organizationId: string
  siteId: string
  name: string
  secretHash: Buffer
  createdAt: Date
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
    list: (organizationId: string): Promise<Device[]> =>
      devices.where('organization_id', '=', organizationId).orderBy('created_at').orderBy('id').execute(),

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
