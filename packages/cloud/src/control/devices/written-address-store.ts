import type { DeviceTarget } from '@plantroom/contract/commissioning'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { sql } from 'kysely'
import { inBatches } from '../../platform/db/batches.ts'
import type { Db } from '../../platform/db/database.ts'

/** Two datapoints of different controllers that would write one address. */
export interface SharedAddress {
  /** The place of the datapoint in the file. */
  at: readonly number[]
  device: string
  connection: string
  datapoint: string
}

/** How many conflicts a person gets to see at once. */
const MOST_SHARED = 20

/** A statement has at most 65,535 parameters. */
const ROWS_AT_ONCE = 5_000

export type WrittenAddressStore = ReturnType<typeof createWrittenAddressStore>

/** The addresses that the controllers of an organization write. */
export function createWrittenAddressStore(db: Db) {
  return {
    /** Lets no other controller of the organization be commissioned until the transaction ends. */
    lock: (organizationId: string) =>
      sql`SELECT pg_advisory_xact_lock(hashtextextended(${`addresses of ${organizationId}`}, 0))`.execute(db),

    /**
     * Finds what other controllers of the organization write at these addresses. Networks of different sites may be
     * numbered alike, so a private address is compared within its site only.
     */
    async shared(deviceId: string, targets: readonly DeviceTarget[]): Promise<SharedAddress[]> {
      if (targets.length === 0) return []
      const { rows } = await sql<SharedAddress>`
        SELECT target.at, device.name AS device, other.connection, other.datapoint
        FROM jsonb_to_recordset(${JSON.stringify(targets)}::jsonb)
          AS target(at jsonb, space text, start double precision, "end" double precision)
        JOIN device AS own ON own.id = ${deviceId}
        JOIN written_address AS other
          ON other.space = target.space AND other.range_start < target."end" AND target.start < other.range_end
        JOIN device ON device.id = other.device_id AND device.id <> own.id
          AND device.organization_id = own.organization_id
        WHERE other.reach = 'everywhere' OR device.site_id = own.site_id
        ORDER BY target.at, device.name, other.datapoint
        LIMIT ${MOST_SHARED}`.execute(db)
      return rows
    },

    /** Keeps what a system writes, instead of what it wrote before. */
    async replace(deviceId: string, system: TechnicalSystem, targets: readonly DeviceTarget[]): Promise<void> {
      await db.deleteFrom('written_address').where('technical_system_id', '=', system.id).execute()
      const rows = targets.flatMap(({ at: [c = 0, d = 0], space, start, end, reach }) => {
        const connection = system.connections[c]
        const datapoint = connection?.datapoints[d]
        if (!datapoint) return []
        return [
          {
            ...{ technical_system_id: system.id, device_id: deviceId, datapoint_id: datapoint.id },
            ...{ connection: connection.name, datapoint: datapoint.name },
            ...{ space, range_start: start, range_end: end, reach },
          },
        ]
      })
      for (const some of inBatches(rows, ROWS_AT_ONCE))
        await db
          .insertInto('written_address')
          .values([...some])
          .execute()
    },
  }
}
