import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../platform/db/database.ts'

export type TechnicalSystemStore = ReturnType<typeof createTechnicalSystemStore>

export function createTechnicalSystemStore(db: Db) {
  return {
    /** Lets nobody else change the systems of the device until the transaction ends. */
    lock: (deviceId: string) => db.selectFrom('device').where('id', '=', deviceId).select('id').forUpdate().execute(),

    /** Replaces a system. One without connections is deleted. The device must be locked. */
    put: (deviceId: string, system: TechnicalSystem) => put(db, deviceId, system),

    /** The site of a device. */
    siteOf: (deviceId: string) =>
      db
        .selectFrom('device')
        .innerJoin('site', 'site.id', 'device.site_id')
        .where('device.id', '=', deviceId)
        .select(['site.id', 'site.name', 'site.time_zone as timeZone'])
        .executeTakeFirstOrThrow(),

    async list(deviceId: string): Promise<TechnicalSystem[]> {
      const rows = await db
        .selectFrom('technical_system')
        .where('device_id', '=', deviceId)
        .select('document')
        .orderBy('created_at')
        .orderBy('id')
        .execute()
      return rows.map((row) => row.document)
    },

    async find(deviceId: string, id: string): Promise<TechnicalSystem | undefined> {
      const row = await db
        .selectFrom('technical_system')
        .where('device_id', '=', deviceId)
        .where('id', '=', id)
        .select('document')
        .executeTakeFirst()
      return row?.document
    },

    /** Returns the name of another system of the device that has a power limit. */
    async otherWithPowerLimit(deviceId: string, name: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('technical_system')
        .where('device_id', '=', deviceId)
        .where('name', '!=', name)
        .where(sql<boolean>`document->'powerLimit' IS NOT NULL`)
        .select('name')
        .orderBy('name')
        .executeTakeFirst()
      return row?.name
    },

    /** Finds what a file of this name would replace, and the time zone of the site that it would get. */
    async findByName(
      deviceId: string,
      name: string,
    ): Promise<{ before: TechnicalSystem | undefined; timeZone: string }> {
      const row = await db
        .selectFrom('device')
        .innerJoin('site', 'site.id', 'device.site_id')
        .leftJoin('technical_system', (join) =>
          join.onRef('technical_system.device_id', '=', 'device.id').on('technical_system.name', '=', name),
        )
        .where('device.id', '=', deviceId)
        .select(['site.time_zone as timeZone', 'technical_system.document'])
        .executeTakeFirst()
      return { before: row?.document ?? undefined, timeZone: row?.timeZone ?? 'UTC' }
    },

    /**
     * Changes one system of a device, one change at a time per device. `change` gets the previous system and the time zone
     * of the site; nothing is stored when it rejects. A system without connections is deleted. Resolves with the
     * system before and after, or with `undefined` when the device does not exist.
     */
    change: (
      deviceId: string,
      name: string,
      change: (before: TechnicalSystem | undefined, timeZone: string) => Promise<TechnicalSystem>,
    ): Promise<{ before: TechnicalSystem | undefined; after: TechnicalSystem } | undefined> =>
      inTransaction(db, async (tx) => {
        const device = await tx
          .selectFrom('device')
          .innerJoin('site', 'site.id', 'device.site_id')
          .where('device.id', '=', deviceId)
          .select('site.time_zone as timeZone')
          .forUpdate('device')
          .executeTakeFirst()
        if (!device) return undefined
        const before = await tx
          .selectFrom('technical_system')
          .where('device_id', '=', deviceId)
          .where('name', '=', name)
          .select('document')
          .executeTakeFirst()
        const after = await change(before?.document, device.timeZone)
        await put(tx, deviceId, after)
        return { before: before?.document, after }
      }),
  }
}

async function put(db: Db, deviceId: string, system: TechnicalSystem): Promise<void> {
  const { id, name } = system
  if (system.connections.length === 0) {
    await db.deleteFrom('technical_system').where('id', '=', id).execute()
    return
  }
  const document = JSON.stringify(system)
  await db
    .insertInto('technical_system')
    .values({ id, device_id: deviceId, name, document })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ document }))
    .execute()
}
