import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** The current names of a device and its parts, by id. */
export interface DeviceNames {
  device: string
  technicalSystems: ReadonlyMap<string, string>
  connections: ReadonlyMap<string, string>
  datapoints: ReadonlyMap<string, string>
}

export type DeviceNameStore = ReturnType<typeof createDeviceNameStore>

export function createDeviceNameStore(db: Db) {
  return {
    /** Resolves with `undefined` when the device no longer exists. */
    async find(deviceId: string): Promise<DeviceNames | undefined> {
      const device = await db.selectFrom('device').where('id', '=', deviceId).select('name').executeTakeFirst()
      if (!device) return undefined
      // Extracted in the database, because whole documents contain every setting of every datapoint.
      const { rows } = await sql<{ kind: Kind; id: string; name: string }>`
        WITH system AS (SELECT id, name, document FROM technical_system WHERE device_id = ${deviceId}),
          connection AS (SELECT json_array_elements(document->'connections') AS document FROM system),
          datapoint AS (SELECT json_array_elements(document->'datapoints') AS document FROM connection)
        SELECT 'technicalSystems' AS kind, id, name FROM system
        UNION ALL SELECT 'connections', document->>'id', document->>'name' FROM connection
        UNION ALL SELECT 'datapoints', document->>'id', document->>'name' FROM datapoint`.execute(db)
      const names = { technicalSystems: new Map(), connections: new Map(), datapoints: new Map() }
      for (const { kind, id, name } of rows) names[kind].set(id, name)
      return { device: device.name, ...names }
    },
  }
}

type Kind = 'technicalSystems' | 'connections' | 'datapoints'
