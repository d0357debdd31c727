import type { Actor } from '@plantroom/contract/activity'
import { type CommissioningChange, type CommissioningVersion, KEPT_VERSIONS } from '@plantroom/contract/commissioning'
import type { RolledBack } from '@plantroom/contract/control-state'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** A system as a version has it, and the templates that it was made from. */
interface KeptSystem {
  system: TechnicalSystem
  templates: readonly string[]
}

export type CommissioningVersionStore = ReturnType<typeof createCommissioningVersionStore>

/** What was commissioned on devices, version by version. */
export function createCommissioningVersionStore(db: Db) {
  return {
    /** Adds a version and forgets the oldest ones. The device must be locked. Resolves with its number. */
    async add(
      deviceId: string,
      system: TechnicalSystem,
      {
        at,
        by,
        loadId,
        templates,
      }: { at: Date; by: Actor; loadId?: string; templates?: readonly string[] | undefined },
    ): Promise<number> {
      const { kind, id, name } = by
      const known = system.connections.length === 0 ? [] : templates
      const { version } = await db
        .insertInto('commissioning_version')
        .values(({ selectFrom, fn, lit }) => ({
          device_id: deviceId,
          version: selectFrom('commissioning_version')
            .where('device_id', '=', deviceId)
            .select(sql<number>`${fn.coalesce(fn.max('version'), lit(0))} + 1`.as('next')),
          technical_system_id: system.id,
          document: JSON.stringify(system),
          changed_at: at,
          changed_by: JSON.stringify({ kind, id, name }),
          load_id: loadId ?? null,
          templates: known ? [...known] : templatesOfLatest(deviceId, system.id),
        }))
        .returning('version')
        .executeTakeFirstOrThrow()
      await forgetOldest(db, deviceId, system.id)
      return version
    },

    /** Who changed a system last, and when. Resolves with `undefined` when no version of it is kept. */
    async lastChange(deviceId: string, systemId: string): Promise<CommissioningChange | undefined> {
      const row = await db
        .selectFrom('commissioning_version')
        .where('device_id', '=', deviceId)
        .where('technical_system_id', '=', systemId)
        .orderBy('version', 'desc')
        .select(['changed_at', 'changed_by'])
        .limit(1)
        .executeTakeFirst()
      return row && { at: timeOf(row.changed_at), by: row.changed_by }
    },

    /** The versions of a device, or of one of its systems, the newest first. */
    async list(deviceId: string, systemId: string | undefined): Promise<CommissioningVersion[]> {
      const count = (path: string) => sql<number>`coalesce(jsonb_array_length(document->${sql.lit(path)}), 0)`
      const rows = await db
        .selectFrom('commissioning_version as own')
        .where('device_id', '=', deviceId)
        .$if(systemId !== undefined, (query) => query.where('technical_system_id', '=', systemId ?? ''))
        .orderBy('version', 'desc')
        .select([
          'version',
          'technical_system_id',
          'changed_at',
          'changed_by',
          'rolled_back as rolledBack',
          'templates',
        ])
        .select([
          sql<string>`document->>'name'`.as('name'),
          sql<boolean>`version = max(version) OVER (PARTITION BY technical_system_id)`.as('isCurrent'),
          count('connections').as('connections'),
          count('schedules').as('schedules'),
          sql<number>`(
            SELECT coalesce(sum(jsonb_array_length(connection->'datapoints')), 0)::int
            FROM jsonb_array_elements(document->'connections') AS connection
          )`.as('datapoints'),
          testsUntilNext.as('tests'),
        ])
        .execute()
      return rows.map(({ version, technical_system_id, changed_at, changed_by, name, ...rest }) => ({
        version,
        technicalSystemId: technical_system_id,
        technicalSystem: name,
        at: timeOf(changed_at),
        by: changed_by,
        ...rest,
      }))
    },

    /** Marks the versions of these loads, once. Resolves with the systems that are the controller's doing now. */
    async markRolledBack(
      deviceId: string,
      loadIds: readonly string[],
      how: Omit<RolledBack, 'loadIds'>,
    ): Promise<string[]> {
      const rows = await db
        .updateTable('commissioning_version as own')
        .set({ rolled_back: JSON.stringify(how) })
        .where('device_id', '=', deviceId)
        .where('load_id', 'in', [...loadIds])
        .where('rolled_back', 'is', null)
        .returning(['technical_system_id'])
        .execute()
      return [...new Set(rows.map((row) => row.technical_system_id))]
    },

    /**
     * The system as it was before these loads, without connections when it was not there. `undefined` when it was loaded
     * again since, or no such version is kept.
     */
    async before(deviceId: string, systemId: string, loadIds: readonly string[]): Promise<KeptSystem | undefined> {
      const rows = await db
        .selectFrom('commissioning_version')
        .where('device_id', '=', deviceId)
        .where('technical_system_id', '=', systemId)
        .orderBy('version', 'desc')
        .select(['load_id', 'document', 'templates'])
        .execute()
      const isUndone = (row: (typeof rows)[number] | undefined) => row?.load_id != null && loadIds.includes(row.load_id)
      const [newest] = rows
      if (!newest || !isUndone(newest)) return undefined
      const first = rows.findLastIndex(isUndone)
      const { id, name } = newest.document
      const { document: system = { id, name, connections: [] }, templates = [] } = rows[first + 1] ?? {}
      return { system, templates }
    },

    /** The templates that a system was made from. */
    async templatesOf(deviceId: string, systemId: string): Promise<readonly string[]> {
      const { rows } = await sql<{ templates: string[] }>`
        SELECT ${templatesOfLatest(deviceId, systemId)} AS templates`.execute(db)
      return rows[0]?.templates ?? []
    },

    find: (deviceId: string, version: number): Promise<KeptSystem | undefined> =>
      db
        .selectFrom('commissioning_version')
        .where('device_id', '=', deviceId)
        .where('version', '=', version)
        .select(['document as system', 'templates'])
        .executeTakeFirst(),
  }
}

const templatesOfLatest = (deviceId: string, systemId: string) => sql<string[]>`coalesce((
  SELECT templates FROM commissioning_version WHERE device_id = ${deviceId} AND technical_system_id = ${systemId}
  ORDER BY version DESC LIMIT 1
), '{}')`

/** Counts the tests of the datapoints of a version, until the system had the next one. */
const testsUntilNext = sql<number>`(
  SELECT count(*)::int FROM output_test AS test
  WHERE test.device_id = own.device_id AND (changed_at IS NULL OR test.started_at >= changed_at)
    AND test.started_at < coalesce((
      SELECT min(later.changed_at) FROM commissioning_version AS later
      WHERE later.device_id = own.device_id AND later.technical_system_id = own.technical_system_id
        AND later.version > own.version
    ), 'infinity')
    AND document @> jsonb_build_object('connections', jsonb_build_array(jsonb_build_object(
      'datapoints', jsonb_build_array(jsonb_build_object('id', test.datapoint_id)))))
)`

const timeOf = (at: Date | null) => at && formatTimestamp(at.getTime())

/** Keeps the latest versions of the system and of the device. */
async function forgetOldest(db: Db, deviceId: string, systemId: string): Promise<void> {
  const ofDevice = () => db.selectFrom('commissioning_version').where('device_id', '=', deviceId)
  const beyond = (query: ReturnType<typeof ofDevice>, kept: number) =>
    query.select('version').orderBy('version', 'desc').offset(kept).limit(1)
  await db
    .deleteFrom('commissioning_version')
    .where('device_id', '=', deviceId)
    .where(({ or, and, eb }) =>
      or([
        eb('version', '<=', beyond(ofDevice(), KEPT_VERSIONS.ofDevice)),
        and([
          eb('technical_system_id', '=', systemId),
          eb('version', '<=', beyond(ofDevice().where('technical_system_id', '=', systemId), KEPT_VERSIONS.ofSystem)),
        ]),
      ]),
    )
    .execute()
}
