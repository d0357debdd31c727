import { sha256 } from '@plantroom/base/sha256'
import type { Actor } from '@plantroom/contract/activity'
import type { ControlState, Memory } from '@plantroom/contract/control-state'
import type { RestoreOutcome, RestorePart } from '@plantroom/contract/replacement'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { KnownOfDevice } from './replacement-plan.ts'
import { addTasks, settleTasks, type TaskKey, type TaskResult } from './task-store.ts'
import { createTechnicalSystemStore } from './technical-system-store.ts'

/** The most override ids that a new controller learns: about a megabyte. The latest count. */
export const MAX_ISSUED = 10_000

/** What the old controller said last, and when it arrived. */
interface LastState {
  state: ControlState
  receivedAt: number
}

/** The hardware of a device is replaced: asked for, and done when `finishedAt` is set. */
export interface StoredReplacement {
  deviceId: string
  id: string
  requestedAt: Date
  requestedBy: Actor
  state: ControlState | null
  stateAt: Date | null
  finishedAt: Date | null
  outcome: RestoreOutcome | null
  problem: string | null
  /** The memory of a controller that lost its own; `null` for a controller that was replaced. */
  memory: Pick<Memory, 'id' | 'run'> | null
}

export const REPLACEMENT = 'replacement'

/** Adds a task for each row of `given`, which has the columns `device_id` and `due_at`. A device has one. */
export const addReplacementTasks = (given: RawBuilder<unknown>) =>
  addTasks(
    REPLACEMENT,
    sql`SELECT device_id, '' AS subject, due_at, NULL::timestamptz AS ends_at FROM (${given}) AS replacement`,
  )

export interface ReplacementResult extends TaskResult {
  /** Why the controller rejected what it was given in this replacement. */
  rejected?: { id: string; problem: string }
}

const COLUMNS = [
  'device_id as deviceId',
  'id',
  'requested_at as requestedAt',
  'requested_by as requestedBy',
  'state',
  'state_at as stateAt',
  'finished_at as finishedAt',
  'outcome',
  'problem',
  'memory',
] as const

export type ReplacementStore = ReturnType<typeof createReplacementStore>

export function createReplacementStore(db: Db) {
  const all = db.selectFrom('device_replacement').select(COLUMNS)

  return {
    find: (deviceId: string): Promise<StoredReplacement | undefined> =>
      all.where('device_id', '=', deviceId).executeTakeFirst(),

    /** Begins a replacement in a transaction, in place of the one before. */
    async begin(
      given: { deviceId: string; id: string; at: Date; dueAt: Date; by: Actor },
      kept: LastState | undefined,
    ): Promise<void> {
      const { kind, id, name } = given.by
      const values = {
        id: given.id,
        requested_at: given.at,
        requested_by: JSON.stringify({ kind, id, name }),
        state: kept ? JSON.stringify(withoutValues(kept.state)) : null,
        state_at: kept ? new Date(kept.receivedAt) : null,
        ...{ finished_at: null, outcome: null, problem: null, cause: 'replaced' as const, memory: null },
      }
      await db
        .insertInto('device_replacement')
        .values({ device_id: given.deviceId, ...values })
        .onConflict((conflict) => conflict.column('device_id').doUpdateSet(values))
        .execute()
      await addReplacementTasks(
        sql`SELECT ${given.deviceId} AS device_id, ${given.dueAt}::timestamptz AS due_at`,
      ).execute(db)
    },

    async load(tx: Db, tasks: readonly TaskKey[]): Promise<(StoredReplacement & TaskKey)[]> {
      const rows = await tx
        .selectFrom('device_replacement')
        .select(COLUMNS)
        .where('device_id', '=', sql<string>`ANY(${tasks.map(({ deviceId }) => deviceId)}::text[])`)
        .where('finished_at', 'is', null)
        .execute()
      return rows.map((row) => ({ ...row, subject: '' }))
    },

    /** Stores when to try again, and why the controllers rejected what they were given. */
    postpone: (results: readonly ReplacementResult[], now: RawBuilder<Date>): Promise<void> =>
      db.transaction().execute(async (tx) => {
        const rejected = results.flatMap((result) => result.rejected ?? [])
        await sql`
          UPDATE device_replacement AS open SET problem = given.problem
          FROM unnest(${rejected.map(({ id }) => id)}::text[], ${rejected.map(({ problem }) => problem)}::text[])
            AS given (id, problem)
          WHERE open.id = given.id AND open.finished_at IS NULL`.execute(tx)
        await settleTasks(tx, { kind: REPLACEMENT, results, now })
      }),

    /** In a transaction. Returns false when another process finished it before, or it was asked for again. */
    async finish({ id, deviceId }: StoredReplacement, at: Date, outcome: RestoreOutcome): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('device_replacement')
        .where('id', '=', id)
        .where('finished_at', 'is', null)
        .set({ finished_at: at, outcome, problem: null })
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) return false
      // Whichever process has the task: the controller has everything.
      await db.deleteFrom('device_task').where('device_id', '=', deviceId).where('kind', '=', REPLACEMENT).execute()
      return true
    },

    /** Returns what the cloud knows of a device, given the last state of its old controller. */
    async known(deviceId: string, kept: LastState | undefined, now: Date): Promise<KnownOfDevice> {
      const own = async (table: 'override_release' | 'override_cancelled' | 'override_owner') => {
        const rows = db.selectFrom(table).where('device_id', '=', deviceId).select('override_id as id')
        const found = await (table === 'override_owner' ? rows.where(sql`ends_at`, '>', now) : rows).execute()
        return found.map(({ id }) => id)
      }
      const callers = await db
        .selectFrom('override_release')
        .where('device_id', '=', deviceId)
        .select('placed_by')
        .execute()
      const accepted = await own('override_owner')
      const listed = [...(kept?.state.overrides ?? []), ...(kept?.state.powerLimit?.limits ?? [])]
      const asked = [...new Set([...listed.map(({ id }) => id), ...accepted])]
      const released = await db
        .selectFrom('report')
        .where('device_id', '=', deviceId)
        .where('phase', '=', 'released')
        .where('override_id', '=', sql<string>`ANY(${asked}::text[])`)
        .select('override_id as id')
        .execute()
      // A fleet dispatch that was cancelled or split again, and whose release has not reached the controller.
      const withdrawn = await db
        .selectFrom('fleet_target')
        .where('device_id', '=', deviceId)
        .where('release', '=', 'pending')
        .select('override_id as id')
        .execute()
      return {
        systems: await createTechnicalSystemStore(db).list(deviceId),
        state: kept && { document: kept.state, receivedAt: kept.receivedAt },
        released: new Set(released.flatMap(({ id }) => id ?? [])),
        // Of a whole caller and of a single override: the other of the two is empty.
        cancelled: new Set(
          [
            ...(await own('override_cancelled')),
            ...(await own('override_release')),
            ...withdrawn.flatMap(({ id }) => id ?? []),
          ].filter(Boolean),
        ),
        cancelledCallers: new Set(callers.map(({ placed_by }) => placed_by).filter(Boolean)),
        accepted,
      }
    },

    /** Returns where the audit of a device ends; `null` when it has none. */
    async lastEntry(deviceId: string): Promise<{ seq: number; hash: string } | null> {
      const last = await db
        .selectFrom('report_chain')
        .where('device_id', '=', deviceId)
        .select('entry')
        .orderBy('position', 'desc')
        .limit(1)
        .executeTakeFirst()
      return last ? { seq: Number(JSON.parse(last.entry).seq), hash: sha256(last.entry) } : null
    },

    /** Returns the ids of the latest overrides, with their callers. */
    issued: (deviceId: string): Promise<NonNullable<RestorePart['issued']>> =>
      db
        .selectFrom('override_owner')
        .where('device_id', '=', deviceId)
        .select(['override_id as id', 'placed_by as placedBy'])
        .orderBy('ends_at', 'desc')
        .limit(MAX_ISSUED)
        .execute(),
  }
}

const withoutValues = (state: ControlState): ControlState => ({ ...state, connections: [] })
