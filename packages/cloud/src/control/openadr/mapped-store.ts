import type { OpenadrMapping } from '@plantroom/contract/openadr'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { givenRows } from '../../platform/db/given-rows.ts'
import { createMeterStore, type LimitedMeter } from '../fleet/index.ts'

/** A datapoint of a mapping, and where it is. */
interface Located {
  id: string
  deviceId: string
  siteId: string
}

/** A writable datapoint of a mapping. */
export interface MappedDatapoint extends Located {
  min: number | null
  max: number | null
}

/** What a mapping names, as it is commissioned now. */
export interface Mapped {
  writable: ReadonlyMap<string, MappedDatapoint>
  /** Where each datapoint that reports are made from is. */
  measured: ReadonlyMap<string, Located>
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

/** A mapping, and the organization whose equipment it names. */
export interface OwnedMapping {
  organizationId: string
  mapping: OpenadrMapping
}

/** Finds what a mapping names among the equipment of an organization. */
export async function findMapped(db: Db, organizationId: string, mapping: OpenadrMapping): Promise<Mapped> {
  const [mapped = NOTHING] = await findAllMapped(db, [{ organizationId, mapping }])
  return mapped
}

const NOTHING: Mapped = { writable: new Map(), measured: new Map(), meters: new Map() }

/** Finds what each of several mappings names, with three statements for all of them. */
export async function findAllMapped(db: Db, owned: readonly OwnedMapping[]): Promise<Mapped[]> {
  const named = owned.map(({ organizationId, mapping }) => ({ organizationId, names: namesOf(mapping) }))
  const givenAs = (as: 'writable' | 'measured' | 'meters') => {
    const given = named.flatMap(({ organizationId, names }) => names[as].map((id) => ({ organizationId, id })))
    return [...new Map(given.map((one) => [JSON.stringify(one), one])).values()]
  }
  const writable = await findWritable(db, givenAs('writable'))
  const measured = await findMeasured(db, givenAs('measured'))
  const sites = givenAs('meters').map(({ organizationId, id }) => ({ organizationId, siteId: id }))
  const meters = await createMeterStore(db).ofSites(sites)
  return named.map(({ organizationId, names }) => {
    const isOwn = (row: InOrganization) => row.organizationId === organizationId
    const own = <Row extends InOrganization & { id: string }>(rows: readonly Row[], ids: readonly string[]) =>
      rows.filter((row) => isOwn(row) && ids.includes(row.id))
    const ownMeters = meters.filter((meter) => isOwn(meter) && names.meters.includes(meter.siteId))
    return {
      writable: new Map(own(writable, names.writable).map((one) => [one.id, one])),
      measured: new Map(own(measured, names.measured).map((one) => [one.id, one])),
      meters: Map.groupBy(ownMeters, ({ siteId }) => siteId),
    }
  })
}

interface InOrganization {
  organizationId: string
}
type Named = readonly (InOrganization & { id: string })[]

/** The equipment that names stand for, of the organizations that use them. */
const namedDatapoints = (table: 'writable_datapoint' | 'listed_datapoint', named: Named) => sql`
  ${givenRows(named, { organization_id: 'text', id: 'text' })} JOIN ${sql.table(table)} AS point ON point.id = given.id
  JOIN device ON device.id = point.device_id AND device.organization_id = given.organization_id`

async function findWritable(db: Db, named: Named): Promise<(MappedDatapoint & InOrganization)[]> {
  if (named.length === 0) return []
  const { rows } = await sql<MappedDatapoint & InOrganization>`
    SELECT point.id, device.id AS "deviceId", device.site_id AS "siteId", min, max, device.organization_id AS "organizationId"
    FROM ${namedDatapoints('writable_datapoint', named)} ORDER BY point.id, device.id, technical_system_id`.execute(db)
  return rows
}

async function findMeasured(db: Db, named: Named): Promise<(Located & InOrganization)[]> {
  if (named.length === 0) return []
  const { rows } = await sql<Located & InOrganization>`
    SELECT point.id, device.id AS "deviceId", device.site_id AS "siteId", device.organization_id AS "organizationId"
    FROM ${namedDatapoints('listed_datapoint', named)} ORDER BY point.id, device.id, technical_system_id`.execute(db)
  return rows
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
