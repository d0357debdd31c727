import { newId } from '@plantroom/base/ids'
import type { ControlState } from '@plantroom/contract/control-state'
import type { DatapointValue } from '@plantroom/contract/values'
import { sql } from 'kysely'
import { SYSTEM } from '../../organization/activity/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { isEmpty } from './awaits-restore.ts'
import { addReplacementTasks } from './replacement-store.ts'

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
      const identified = all.filter(({ state }) => state.memory !== undefined)
      await db.transaction().execute(async (tx) => {
        if (identified.length > 0) await noticeLoss(tx, identified)
        for (const hasAllValues of [false, true]) {
          const some = all.filter((one) => one.hasAllValues === hasAllValues)
          if (some.length > 0) await saveSome(tx, some, hasAllValues)
        }
      })
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

/**
 * Begins to give back what controllers have lost, before their new state replaces the last one. A controller has lost
 * something when it says so, when it is empty and has another memory than the last state came from, and when its memory is
 * older than that. In all other cases the controller is right, also about a cloud that was restored from a backup.
 */
async function noticeLoss(db: Db, all: readonly NewState[]): Promise<void> {
  const given = sql`unnest(
    ${all.map(({ deviceId }) => deviceId)}::text[],
    ${all.map(() => newId('rpl'))}::text[],
    ${all.map(({ receivedAt }) => new Date(receivedAt))}::timestamptz[],
    ${all.map(({ state }) => JSON.stringify(state.memory))}::jsonb[],
    ${all.map(({ state }) => isEmpty(state))}::boolean[]
  ) AS given (device_id, id, at, memory, is_empty)`
  await sql`
    WITH kept AS (
      SELECT * FROM device_state WHERE device_id = ANY(${all.map(({ deviceId }) => deviceId)}::text[])
      ORDER BY device_id FOR UPDATE
    ), lost AS (
      INSERT INTO device_replacement AS open
        (device_id, id, requested_at, requested_by, state, state_at, cause, memory)
      SELECT device.id, given.id, given.at, ${JSON.stringify(SYSTEM)}::jsonb,
        kept.document || '{"connections": []}', kept.received_at, 'memory-lost', given.memory
      FROM ${given}
      JOIN device ON device.id = given.device_id
      LEFT JOIN kept ON kept.device_id = given.device_id
      CROSS JOIN LATERAL (SELECT kept.document -> 'memory' AS memory) AS last
      WHERE last.memory ->> 'run' IS DISTINCT FROM given.memory ->> 'run'
        AND (kept.received_at IS NULL OR kept.received_at <= given.at)
        AND (
          given.memory ? 'lost'
          OR (
            last.memory ->> 'id' IS DISTINCT FROM given.memory ->> 'id' AND given.is_empty AND kept.device_id IS NOT NULL
            AND (
              kept.document -> 'holds' <> '[]' OR kept.document -> 'overrides' <> '[]'
              OR EXISTS (SELECT FROM technical_system WHERE device_id = given.device_id)
            )
          )
          OR (
            last.memory ->> 'id' = given.memory ->> 'id'
            AND (given.memory ->> 'from')::bigint < (last.memory ->> 'count')::bigint
          )
        )
      ON CONFLICT (device_id) DO UPDATE SET
        id = excluded.id, requested_at = excluded.requested_at, requested_by = excluded.requested_by,
        state = excluded.state, state_at = excluded.state_at,
        finished_at = NULL, outcome = NULL, problem = NULL, cause = excluded.cause, memory = excluded.memory
      WHERE open.finished_at IS NOT NULL
      RETURNING device_id, NULL::timestamptz AS due_at
    ) ${addReplacementTasks(sql`SELECT * FROM lost`)}`.execute(db)
  // It has started again since. What it had before stays the same.
  await sql`
    UPDATE device_replacement AS open SET memory = given.memory FROM ${given}
    WHERE open.device_id = given.device_id AND open.finished_at IS NULL AND open.cause = 'memory-lost'
      AND open.memory ->> 'run' <> given.memory ->> 'run'`.execute(db)
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
