import type { ControlState } from '@plantroom/contract/control-state'
import type { DatapointValue } from '@plantroom/contract/values'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** The last state of a device, and when it arrived by the clock of the cloud. */
export interface KeptState {
  receivedAt: number
  state: ControlState
}

export interface NewState extends KeptState {
  deviceId: string
  /** False when it has the values of some datapoints only: those of the others stay. */
  hasAllValues: boolean
}

/** More is replaced rather than added to: a device may send other ids for ever. */
const MAX_VALUE_BYTES = 4 * 1024 * 1024

export type DeviceStateStore = ReturnType<typeof createDeviceStateStore>

/** The last state of each device, for the time when it does not answer. */
export function createDeviceStateStore(db: Db) {
  return {
    /** Several processes store the same message: only the first one writes it, and an older one never. */
    async save(all: readonly NewState[]): Promise<void> {
      for (const hasAllValues of [false, true]) {
        const some = all.filter((one) => one.hasAllValues === hasAllValues)
        if (some.length > 0) await saveSome(db, some, hasAllValues)
      }
    },

    async find(deviceId: string): Promise<KeptState | undefined> {
      const row = await db
        .selectFrom('device_state')
        .where('device_id', '=', deviceId)
        .select(['received_at', 'document', 'live_values'])
        .executeTakeFirst()
      return row && { receivedAt: row.received_at.getTime(), state: withValues(row.document, row.live_values) }
    },
  }
}

async function saveSome(db: Db, all: readonly NewState[], hasAllValues: boolean): Promise<void> {
  const values = hasAllValues
    ? sql`excluded.live_values`
    : sql`CASE WHEN pg_column_size(kept.live_values) < ${MAX_VALUE_BYTES}
        THEN kept.live_values || excluded.live_values ELSE excluded.live_values END`
  await sql`
    INSERT INTO device_state AS kept (device_id, received_at, document, held, troubled, live_values)
    SELECT device.id, given.at, given.document, given.held, given.troubled, given.live_values
    FROM unnest(
      ${all.map(({ deviceId }) => deviceId)}::text[],
      ${all.map(({ receivedAt }) => new Date(receivedAt))}::timestamptz[],
      ${all.map(({ state }) => JSON.stringify(withoutValues(state)))}::jsonb[],
      ${all.map(({ state }) => state.holds.length)}::integer[],
      ${all.map(({ state }) => state.holds.filter(({ trouble }) => trouble !== null).length)}::integer[],
      ${all.map(({ state }) => JSON.stringify(valuesOf(state)))}::jsonb[]
    ) AS given (device_id, at, document, held, troubled, live_values)
    JOIN device ON device.id = given.device_id
    ORDER BY device.id
    ON CONFLICT (device_id) DO UPDATE SET
      received_at = excluded.received_at, document = excluded.document,
      held = excluded.held, troubled = excluded.troubled, live_values = ${values}
    WHERE excluded.received_at >= kept.received_at
      AND (kept.document <> excluded.document OR kept.received_at < excluded.received_at - interval '30 seconds')`.execute(
    db,
  )
}

type ValueOfConnection = DatapointValue & { connectionId: string }

const withoutValues = (state: ControlState): ControlState => ({
  ...state,
  connections: state.connections.map((connection) => ({ ...connection, values: {} })),
})

const valuesOf = ({ connections }: ControlState): Record<string, ValueOfConnection> =>
  Object.fromEntries(
    connections.flatMap(({ connectionId, values }) =>
      Object.entries(values).map(([id, value]) => [id, { ...value, connectionId }]),
    ),
  )

function withValues(state: ControlState, values: Readonly<Record<string, ValueOfConnection>>): ControlState {
  const byConnection = Map.groupBy(Object.entries(values), ([, { connectionId }]) => connectionId)
  return {
    ...state,
    connections: state.connections.map((connection) => ({
      ...connection,
      values: Object.fromEntries(
        (byConnection.get(connection.connectionId) ?? []).map(([id, { connectionId: _, ...value }]) => [id, value]),
      ),
    })),
  }
}
