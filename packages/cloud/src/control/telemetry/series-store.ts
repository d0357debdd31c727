import type { Log } from '@plantroom/base/log'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { insertGiven } from '../../platform/db/given-rows.ts'

/** How many datapoints share a frame. Rows stay small enough to be read without the other groups of a large device. */
const SLOTS = 32
/** Far more than a controller can have at a time. Datapoints that no longer exist keep their place. */
const MAX_SERIES = 50_000
/** How many datapoints of all devices are kept in memory. */
const MAX_CACHED = 500_000

/** Where the values of a datapoint are: in this slot of the frames of this group. */
export interface Place {
  groupId: number
  /** From 1. */
  slot: number
}

type Places = Map<string, Place>

/** Assigns each datapoint of a device its place, once, and remembers it. */
export function createSeriesStore(db: Db, { log }: { log?: Log | undefined } = {}) {
  /** By device, the one used longest ago first. */
  const cached = new Map<string, Places>()
  let size = 0

  function remember(deviceId: string, places: Places): void {
    size += places.size - (cached.get(deviceId)?.size ?? 0)
    cached.delete(deviceId)
    cached.set(deviceId, places)
    for (const [oldest, forgotten] of cached) {
      if (size <= MAX_CACHED || oldest === deviceId) break
      cached.delete(oldest)
      size -= forgotten.size
    }
  }

  return {
    /** Returns the places of these datapoints, by device. A device with too many datapoints gets no place for more. */
    async assign(wanted: ReadonlyMap<string, ReadonlySet<string>>): Promise<Map<string, Places>> {
      const found = new Map<string, Places>()
      const unknown: string[] = []
      for (const deviceId of wanted.keys()) {
        const places = cached.get(deviceId)
        if (places) found.set(deviceId, places)
        else unknown.push(deviceId)
      }
      for (const [deviceId, places] of await load(db, unknown)) found.set(deviceId, places)
      for (const [deviceId, datapointIds] of wanted) {
        let places = found.get(deviceId) ?? new Map()
        const isComplete = [...datapointIds].every((id) => places.has(id)) || places.size >= MAX_SERIES
        if (!isComplete) {
          places = await db.transaction().execute((tx) => add(tx, deviceId, datapointIds))
          if (places.size >= MAX_SERIES)
            log?.warn({ device: deviceId }, 'too many datapoints: drops values of new ones')
        }
        found.set(deviceId, places)
        remember(deviceId, places)
      }
      return found
    },
  }
}

/** Returns the place of a datapoint; `undefined` when it has no values. */
export const findPlace = (db: Db, deviceId: string, datapointId: string): Promise<Place | undefined> =>
  db
    .selectFrom('measurement_series')
    .where('device_id', '=', deviceId)
    .where('datapoint_id', '=', datapointId)
    .select(['group_id as groupId', 'slot'])
    .executeTakeFirst()

async function load(db: Db, deviceIds: readonly string[]): Promise<Map<string, Places>> {
  const found = new Map<string, Places>()
  if (deviceIds.length === 0) return found
  const { rows } = await sql<{ device_id: string; datapoint_id: string; group_id: number; slot: number }>`
    SELECT device_id, datapoint_id, group_id, slot FROM measurement_series
    WHERE device_id = ANY (${deviceIds}::text[])`.execute(db)
  for (const { device_id, datapoint_id, group_id, slot } of rows) {
    const places = found.get(device_id) ?? new Map()
    places.set(datapoint_id, { groupId: group_id, slot })
    found.set(device_id, places)
  }
  return found
}

/** Adds the missing datapoints behind the last one of the device. Returns all of them. */
async function add(tx: Db, deviceId: string, datapointIds: ReadonlySet<string>): Promise<Places> {
  // Another process may assign places to the same device.
  await sql`SELECT pg_advisory_xact_lock(hashtext('plantroom measurement series'), hashtext(${deviceId}))`.execute(tx)
  const places: Places = (await load(tx, [deviceId])).get(deviceId) ?? new Map()
  const missing = [...datapointIds].filter((id) => !places.has(id)).slice(0, MAX_SERIES - places.size)
  if (missing.length === 0) return places
  let last: Place = { groupId: 0, slot: SLOTS }
  for (const place of places.values()) {
    if (place.groupId > last.groupId || (place.groupId === last.groupId && place.slot > last.slot)) last = place
  }
  const groupIds = await newGroups(tx, Math.ceil((missing.length - (SLOTS - last.slot)) / SLOTS))
  const added = missing.map((datapointId) => {
    last =
      last.slot < SLOTS ? { groupId: last.groupId, slot: last.slot + 1 } : { groupId: groupIds.shift() ?? 0, slot: 1 }
    places.set(datapointId, last)
    return { datapointId, ...last }
  })
  const columns = { datapoint_id: 'text', group_id: 'integer', slot: 'smallint' } as const
  await insertGiven('measurement_series', { device_id: deviceId }, added, columns).execute(tx)
  return places
}

async function newGroups(db: Db, count: number): Promise<number[]> {
  if (count <= 0) return []
  const { rows } = await sql<{ id: number }>`
    SELECT nextval('measurement_group_id')::integer AS id FROM generate_series(1, ${count})`.execute(db)
  return rows.map(({ id }) => id).toSorted((a, b) => a - b)
}
