import type { OpenadrMapping } from '@plantroom/contract/openadr'
import type { OperationalStatus } from '@plantroom/openadr/due-reports'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { findMapped, type Mapped } from './mapped-store.ts'
import type { StoredProgram } from './program-store.ts'

export interface ResourceStatus {
  resourceName: string
  status: OperationalStatus
  /** When it became so. */
  since: number
}

/**
 * Returns the status of each resource of a program: `ERROR` while one of its controllers is offline. It is not known, and not
 * returned, while one of them was never seen.
 */
export async function findStatuses(
  db: Db,
  { organizationId, settings }: Pick<StoredProgram, 'organizationId' | 'settings'>,
): Promise<ResourceStatus[]> {
  const mapped = await findMapped(db, organizationId, settings.mapping)
  const [statuses = []] = await findAllStatuses(db, [{ mapping: settings.mapping, mapped }])
  return statuses
}

/** Does the same for several mappings, with one statement. */
export async function findAllStatuses(
  db: Db,
  all: readonly { mapping: OpenadrMapping; mapped: Mapped }[],
): Promise<ResourceStatus[][]> {
  const controllers = all.map(({ mapping, mapped }) =>
    mapping.resources.map((resource) => ({
      resourceName: resource.resourceName,
      deviceIds: controllersOf(resource, mapped),
    })),
  )
  const ids = [...new Set(controllers.flat().flatMap(({ deviceIds }) => deviceIds))]
  if (ids.length === 0) return all.map(() => [])
  const { rows } = await sql<Presence>`
    SELECT device_id AS id, online, since FROM device_presence WHERE device_id = ANY(${ids}::text[])`.execute(db)
  const presence = new Map(rows.map((row) => [row.id, row]))
  return controllers.map((ofMapping) => statusesOf(ofMapping, presence))
}

interface Presence {
  id: string
  online: boolean
  since: Date
}

function statusesOf(
  controllers: readonly { resourceName: string; deviceIds: readonly string[] }[],
  presence: ReadonlyMap<string, Presence>,
): ResourceStatus[] {
  return controllers.flatMap(({ resourceName, deviceIds }): ResourceStatus[] => {
    const seen = deviceIds.flatMap((id) => presence.get(id) ?? [])
    if (seen.length === 0 || seen.length < deviceIds.length) return []
    const offline = seen.filter(({ online }) => !online)
    const times = (of: typeof seen) => of.map(({ since }) => since.getTime())
    return offline.length > 0
      ? [{ resourceName, status: 'ERROR', since: Math.min(...times(offline)) }]
      : [{ resourceName, status: 'NORMAL', since: Math.max(...times(seen)) }]
  })
}

/** The controllers that hold what events ask of a resource, and that measure it. */
function controllersOf(
  { rules, powerDatapointId, energyDatapointId }: OpenadrMapping['resources'][number],
  { writable, measured, meters }: Mapped,
): string[] {
  const ids = [
    ...rules.flatMap(({ datapointId, limit }) => [
      ...(datapointId === undefined ? [] : [writable.get(datapointId)?.deviceId]),
      ...(limit ? (meters.get(limit.siteId) ?? []).map(({ deviceId }) => deviceId) : []),
    ]),
    ...[powerDatapointId, energyDatapointId].map((id) => (id === undefined ? undefined : measured.get(id)?.deviceId)),
  ]
  return [...new Set(ids.filter((id) => id !== undefined))]
}
