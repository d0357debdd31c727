import type { OpenadrMapping } from '@plantroom/contract/openadr'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { createMeterStore, type LimitedMeter } from '../fleet/index.ts'

/** A writable datapoint of a mapping. */
export interface MappedDatapoint {
  id: string
  deviceId: string
  siteId: string
  min: number | null
  max: number | null
}

/** What a mapping names, as it is commissioned now. */
export interface Mapped {
  writable: ReadonlyMap<string, MappedDatapoint>
  /** Where each datapoint that reports are made from is. */
  measured: ReadonlyMap<string, { deviceId: string; siteId: string }>
  /** The meters of each site whose power can be limited. */
  meters: ReadonlyMap<string, readonly LimitedMeter[]>
}

/** Everything that a mapping names, with its path. */
export function namesOf({ resources }: OpenadrMapping) {
  const all = resources.flatMap(({ rules, powerDatapointId, energyDatapointId }, index) => {
    const path = `mapping.resources[${index}]`
    return [
      ...rules.flatMap(({ datapointId, limit }, place) => [
        ...(datapointId === undefined
          ? []
          : [{ as: 'writable' as const, id: datapointId, path: `${path}.rules[${place}].datapointId` }]),
        ...(limit ? [{ as: 'meters' as const, id: limit.siteId, path: `${path}.rules[${place}].limit.siteId` }] : []),
      ]),
      ...Object.entries({ powerDatapointId, energyDatapointId }).flatMap(([field, id]) =>
        id === undefined ? [] : [{ as: 'measured' as const, id, path: `${path}.${field}` }],
      ),
    ]
  })
  const ids = (as: (typeof all)[number]['as']) => [...new Set(all.filter((one) => one.as === as).map(({ id }) => id))]
  return { all, writable: ids('writable'), measured: ids('measured'), meters: ids('meters') }
}

/** Finds what a mapping names among the equipment of an organization. */
export async function findMapped(db: Db, organizationId: string, mapping: OpenadrMapping): Promise<Mapped> {
  const names = namesOf(mapping)
  const { rows: writable } = await sql<MappedDatapoint>`
    SELECT point.id, device.id AS "deviceId", device.site_id AS "siteId", min, max
    FROM writable_datapoint AS point JOIN device ON device.id = point.device_id
    WHERE device.organization_id = ${organizationId} AND point.id = ANY(${names.writable}::text[])`.execute(db)
  const { rows: measured } = await sql<{ id: string; deviceId: string; siteId: string }>`
    SELECT point.id, device.id AS "deviceId", device.site_id AS "siteId"
    FROM listed_datapoint AS point JOIN device ON device.id = point.device_id
    WHERE device.organization_id = ${organizationId} AND point.id = ANY(${names.measured}::text[])`.execute(db)
  const meters = await createMeterStore(db).ofSites(organizationId, names.meters)
  return {
    writable: new Map(writable.map((one) => [one.id, one])),
    measured: new Map(measured.map((one) => [one.id, one])),
    meters: Map.groupBy(meters, ({ siteId }) => siteId),
  }
}

/** The names of a mapping that are not there, with their paths. */
export function missingIn(mapping: OpenadrMapping, mapped: Mapped) {
  return namesOf(mapping).all.filter(({ as, id }) => !mapped[as].has(id))
}

/** The sites of the equipment that the rules and reports of a resource name. */
export function sitesOfResource(
  { rules, powerDatapointId, energyDatapointId }: OpenadrMapping['resources'][number],
  { writable, measured }: Mapped,
): string[] {
  const ids = [
    ...rules.map(({ datapointId, limit }) => limit?.siteId ?? writable.get(datapointId ?? '')?.siteId),
    ...[powerDatapointId, energyDatapointId].map((id) => measured.get(id ?? '')?.siteId),
  ]
  return [...new Set(ids.filter((id) => id !== undefined))]
}

/** The sites of a mapping. */
export function sitesOf({ writable, measured, meters }: Mapped): string[] {
  const datapoints = [...writable.values(), ...measured.values()].map(({ siteId }) => siteId)
  return [...new Set([...datapoints, ...meters.keys()])].sort()
}
