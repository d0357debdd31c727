import type { ReportEntry } from '@plantroom/contract/reports'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** Cached between pages. One page may temporarily need more. */
const MAX_NAMES = 50_000

/** The current names of a device and its parts, by id. */
export interface DeviceNames {
  device: string
  technicalSystems: ReadonlyMap<string, string>
  connections: ReadonlyMap<string, string>
  datapoints: ReadonlyMap<string, string>
}

type Kind = 'technicalSystems' | 'connections' | 'datapoints'

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

export interface NamedReport {
  entry: ReportEntry
  /** `undefined` when the device no longer exists. */
  names: DeviceNames | undefined
}

/** Adds names to entries, page by page. Looks up each device at its first entry. */
export function createNaming(deps: {
  names: Pick<DeviceNameStore, 'find'>
  maxNames?: number
}): (entries: readonly ReportEntry[]) => Promise<NamedReport[]> {
  const { names, maxNames = MAX_NAMES } = deps
  /** Ordered by last use. */
  const known = new Map<string, DeviceNames | undefined>()

  function evictOldest(): void {
    let count = 0
    for (const [deviceId, found] of [...known].toReversed()) {
      if (count >= maxNames) known.delete(deviceId)
      count += sizeOf(found)
    }
  }

  return async (entries) => {
    for (const deviceId of new Set(entries.map((entry) => entry.deviceId))) {
      const found = known.has(deviceId) ? known.get(deviceId) : await names.find(deviceId)
      known.delete(deviceId)
      known.set(deviceId, found)
    }
    const named = entries.map((entry) => ({ entry, names: known.get(entry.deviceId) }))
    evictOldest()
    return named
  }
}

const sizeOf = (names: DeviceNames | undefined) =>
  1 + (names ? names.technicalSystems.size + names.connections.size + names.datapoints.size : 0)
