import { Failure } from '@plantroom/contract/failure'
import { MAX_TARGETS, type Selector } from '@plantroom/contract/fleet'
import { shown } from '@plantroom/contract/shown'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** A writable datapoint, with what a dispatch needs to know of it. */
export interface SelectedDatapoint {
  id: string
  name: string
  deviceId: string
  siteId: string
  unit: string | null
  /** The commissioned envelope; `null` where it has none. */
  min: number | null
  max: number | null
  tags: readonly string[]
}

/** What a caller may control: an organization, and its sites where they are limited. */
export interface Reach {
  organizationId: string
  siteIds: ReadonlySet<string> | undefined
}

export type DatapointStore = ReturnType<typeof createDatapointStore>

export function createDatapointStore(db: Db) {
  return {
    /**
     * Returns the writable datapoints that a selector matches and a caller reaches, in a stable order, and at most one
     * more than a dispatch may have. Throws `invalid` for an id that the caller does not reach, whether it exists or not.
     */
    async select(reach: Reach, select: Selector): Promise<SelectedDatapoint[]> {
      const { deviceIds, siteIds, tags, datapointIds } = select
      if (!deviceIds && !siteIds && !tags && !datapointIds) {
        throw new Failure('invalid', 'select is empty: name deviceIds, siteIds, tags or datapointIds', 'select')
      }
      if (siteIds) await requireSites(db, reach, siteIds, 'select.siteIds')
      if (deviceIds) await requireDevices(db, reach, deviceIds, 'select.deviceIds')
      if (!datapointIds) return find(db, reach, select)
      // Not narrowed by the rest yet: a datapoint that is named must exist.
      const named = await find(db, reach, { datapointIds })
      const known = new Set(named.map(({ id }) => id))
      requireAll(datapointIds, known, 'select.datapointIds', 'writable datapoint')
      return named.filter(
        (one) =>
          (!deviceIds || deviceIds.includes(one.deviceId)) &&
          (!siteIds || siteIds.includes(one.siteId)) &&
          (!tags || tags.some((tag) => one.tags.includes(tag))),
      )
    },
  }
}

const list = (items: Iterable<string> | undefined) => (items === undefined ? null : [...items])
/** A condition that an absent list always meets. */
export const isAmong = (column: ReturnType<typeof sql>, items: Iterable<string> | undefined) =>
  sql`(${list(items)}::text[] IS NULL OR ${column} = ANY(${list(items)}::text[]))`

async function find(db: Db, { organizationId, siteIds }: Reach, select: Selector): Promise<SelectedDatapoint[]> {
  const { rows } = await sql<SelectedDatapoint>`
    SELECT point.id, point.name, device.id AS "deviceId", device.site_id AS "siteId", unit, min, max, tags
    FROM device
    JOIN writable_datapoint AS point ON point.device_id = device.id
    WHERE device.organization_id = ${organizationId}
      AND ${isAmong(sql`device.site_id`, siteIds)}
      AND ${isAmong(sql`device.id`, select.deviceIds)}
      AND ${isAmong(sql`device.site_id`, select.siteIds)}
      AND ${isAmong(sql`point.id`, select.datapointIds)}
      AND (${list(select.tags)}::text[] IS NULL OR tags && ${list(select.tags)}::text[])
    ORDER BY device.id, point.id
    LIMIT ${MAX_TARGETS + 1}`.execute(db)
  return rows
}

/** Throws `invalid` with the field for a site that the caller does not reach, whether it exists or not. */
export async function requireSites(
  db: Db,
  { organizationId, siteIds }: Reach,
  named: readonly string[],
  field: string,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM site
    WHERE organization_id = ${organizationId} AND id = ANY(${[...named]}::text[]) AND ${isAmong(sql`id`, siteIds)}
  `.execute(db)
  requireAll(named, new Set(rows.map(({ id }) => id)), field, 'site')
}

/** Throws `invalid` with the field for a device that the caller does not reach, whether it exists or not. */
export async function requireDevices(
  db: Db,
  { organizationId, siteIds }: Reach,
  named: readonly string[],
  field: string,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM device
    WHERE organization_id = ${organizationId} AND id = ANY(${[...named]}::text[]) AND ${isAmong(sql`site_id`, siteIds)}
  `.execute(db)
  requireAll(named, new Set(rows.map(({ id }) => id)), field, 'device')
}

function requireAll(named: readonly string[], known: ReadonlySet<string>, field: string, what: string): void {
  const unknown = named.find((id) => !known.has(id))
  if (unknown === undefined) return
  const message = `there is no ${what} ${shown(unknown)} that you may control: check the id, and the sites you have access to`
  throw new Failure('invalid', message, field)
}
