import { Failure } from '@plantroom/contract/failure'
import { MAX_TARGETS } from '@plantroom/contract/fleet'
import type { LimitRequest } from '@plantroom/contract/fleet-limit'
import { shown } from '@plantroom/contract/shown'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { givenRows } from '../../platform/db/given-rows.ts'
import { isAmong, type Reach, requireDevices, requireSites } from './datapoint-store.ts'

/** The meter of a controller with a commissioned power limit, and what its loads can do. */
export interface LimitedMeter {
  id: string
  deviceId: string
  siteId: string
  guaranteedKw: number
  /** What its loads can draw. */
  importKw: number
  /** By how much its loads can raise what the site draws. */
  exportKw: number
}

type Selected = Pick<LimitRequest, 'siteId' | 'deviceIds' | 'tags'>

const COLUMNS = sql`meter.id, device.id AS "deviceId", device.site_id AS "siteId", guaranteed_kw AS "guaranteedKw",
  import_kw AS "importKw", export_kw AS "exportKw"`

export type MeterStore = ReturnType<typeof createMeterStore>

export function createMeterStore(db: Db) {
  return {
    /**
     * Returns the meters that a request selects and a caller reaches, one of each controller, in a stable order, and at most
     * one more than a limit may have. Throws `invalid` for what the caller does not reach, whether it exists or not.
     */
    async select(reach: Reach, selected: Selected): Promise<LimitedMeter[]> {
      const { siteId, deviceIds, tags } = selected
      const given = Object.entries({ siteId, deviceIds, tags }).filter(([, value]) => value !== undefined)
      if (given.length !== 1) {
        throw new Failure('invalid', 'send one of siteId, deviceIds and tags: it says what to limit', 'siteId')
      }
      if (siteId !== undefined) await requireSites(db, reach, [siteId], 'siteId')
      if (deviceIds) await requireDevices(db, reach, deviceIds, 'deviceIds')
      if (tags) await requireTags(db, reach, tags)
      const meters = await find(db, reach, selected)
      requireMeters(meters, selected)
      return meters
    },

    /** The meters on these sites of organizations, one of each controller. */
    async ofSites(
      sites: readonly { organizationId: string; siteId: string }[],
    ): Promise<(LimitedMeter & { organizationId: string })[]> {
      if (sites.length === 0) return []
      const { rows } = await sql<LimitedMeter & { organizationId: string }>`
        SELECT DISTINCT ON (device.id) ${COLUMNS}, organization_id AS "organizationId"
        FROM ${givenRows(sites, { organization_id: 'text', site_id: 'text' })}
        JOIN device USING (organization_id, site_id) JOIN limited_meter AS meter ON meter.device_id = device.id
        ORDER BY device.id, meter.id`.execute(db)
      return rows
    },
  }
}

async function find(db: Db, { organizationId, siteIds }: Reach, selected: Selected): Promise<LimitedMeter[]> {
  const { siteId, deviceIds, tags } = selected
  const { rows } = await sql<LimitedMeter>`
    SELECT DISTINCT ON (device.id) ${COLUMNS}
    FROM device JOIN limited_meter AS meter ON meter.device_id = device.id
    WHERE device.organization_id = ${organizationId}
      AND ${isAmong(sql`device.site_id`, siteIds)}
      AND ${isAmong(sql`device.site_id`, siteId === undefined ? undefined : [siteId])}
      AND ${isAmong(sql`device.id`, deviceIds)}
      AND (${tags ? [...tags] : null}::text[] IS NULL OR EXISTS (
        SELECT FROM site_tag WHERE site_tag.site_id = device.site_id AND tag = ANY(${tags ? [...tags] : null}::text[])
      ))
    ORDER BY device.id, meter.id
    LIMIT ${MAX_TARGETS + 1}`.execute(db)
  return rows
}

function requireMeters(meters: readonly LimitedMeter[], { siteId, deviceIds }: Selected): void {
  const remedy = 'add powerLimit to its commissioning file and load it'
  if (deviceIds) {
    const known = new Set(meters.map(({ deviceId }) => deviceId))
    const without = deviceIds.find((id) => !known.has(id))
    if (without === undefined) return
    throw new Failure('invalid', `the controller ${shown(without)} has no power limit: ${remedy}`, 'deviceIds')
  }
  if (meters.length > 0) return
  throw siteId === undefined
    ? new Failure('invalid', `no controller on sites with these tags has a power limit: ${remedy}`, 'tags')
    : new Failure('invalid', `no controller of the site ${shown(siteId)} has a power limit: ${remedy}`, 'siteId')
}

/** A misspelt tag would leave sites without a limit. */
async function requireTags(db: Db, { organizationId, siteIds }: Reach, tags: readonly string[]): Promise<void> {
  const { rows } = await sql<{ tag: string }>`
    SELECT DISTINCT tag FROM site_tag
    WHERE organization_id = ${organizationId} AND tag = ANY(${[...tags]}::text[])
      AND ${isAmong(sql`site_id`, siteIds)}`.execute(db)
  const known = new Set(rows.map(({ tag }) => tag))
  const unknown = tags.find((tag) => !known.has(tag))
  if (unknown === undefined) return
  const message = `no site that you manage has the tag ${shown(unknown)}: check its spelling`
  throw new Failure('invalid', message, 'tags')
}
