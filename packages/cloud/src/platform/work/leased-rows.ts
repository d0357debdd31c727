import { type Clock, systemClock } from '@plantroom/base/clock'
import { type RawBuilder, sql, type Updateable } from 'kysely'
import type { Db } from '../db/database.ts'
import { givenRows } from '../db/given-rows.ts'
import type { Schema } from '../db/schema.ts'

/** Tables whose rows can be worked on: each has these columns. */
export type WorkTable = {
  [Table in keyof Schema]:
    | 'organization_id'
    | 'due_at'
    | 'leased_until'
    | 'claim'
    | 'attempts' extends keyof Schema[Table]
    ? Table
    : never
}[keyof Schema]

/** Rows of a table that something is to be done about, later than the request that added them. */
export interface LeasedRows<Table extends WorkTable = WorkTable, Key extends string = string> {
  table: Table
  /** The columns that identify a row. */
  key: readonly Key[]
  /** Holds while something is left to do. There is an index on `(organization_id, due_at)` of these rows. */
  waiting: RawBuilder<unknown>
  /** Holds when it may be done now. The row is `item`. */
  ready?: (now: RawBuilder<Date>) => RawBuilder<unknown>
  /** Of the rows with the same value in `column`, so many are taken at the same time, by all processes together. */
  group?: { column: string; atOnce: number }
  /** Which rows took long lately: they begin among the slow ones of their kind. */
  slow?: SlowRows<Key>
}

/** How it is remembered that runs of a row take long. */
export interface SlowRows<Key extends string> {
  /** Holds for such a row. The row is `item`. */
  is(now: RawBuilder<Date>): RawBuilder<unknown>
  remember(db: Db, lease: Lease<Key>, isSlow: boolean): Promise<unknown>
}

/** A row that one process has for a while. `claim` grows with each lease: with an older one, nothing can be recorded. */
export type Lease<Key extends string = never> = Readonly<Record<Key, string>> & {
  readonly organizationId: string
  readonly claim: number
  /** Including the current one. */
  readonly attempts: number
}

/** Time by the clock of the database: those of two workers may differ by more than a lease. Tests have a clock of their own. */
export const timeOf = (clock: Clock): RawBuilder<Date> =>
  clock === systemClock ? sql<Date>`clock_timestamp()` : sql<Date>`${new Date(clock.now())}::timestamptz`

const later = (now: RawBuilder<Date>, ms: number) => sql<Date>`${now} + make_interval(secs => ${ms / 1000})`

/** A process that is halted in the middle of a claim loses its connection after this long: the others wait for it. */
const FROZEN_MS = 3_000

export interface ClaimOptions {
  /** The name of the kind of work. Organizations take turns for each. */
  kind: string
  now: RawBuilder<Date>
  leaseMs: number
  /** How many rows to take. */
  places: number
  perOrganization: number
  /** How many rows of an organization this process has already. */
  running: ReadonlyMap<string, number>
}

/**
 * Takes rows that are due and counts the attempt, even if this process then dies. Organizations take turns: the one with
 * the fewest running comes first, then the one whose last turn was longest ago. One process claims at a time, so that the
 * shares hold for all.
 */
export function claimDue<Key extends string>(
  db: Db,
  rows: LeasedRows<WorkTable, Key>,
  options: ClaimOptions,
): Promise<Lease<Key>[]> {
  return db.transaction().execute(async (tx) => {
    await sql`
      SELECT set_config('idle_in_transaction_session_timeout', ${String(FROZEN_MS)}, true),
        pg_advisory_xact_lock(hashtextextended(${`work of ${options.kind}`}, 0))`.execute(tx)
    const { rows: leases } = await claimStatement<Key>(rows, options).execute(tx)
    return leases
  })
}

function claimStatement<Key extends string>(rows: LeasedRows<WorkTable, Key>, options: ClaimOptions) {
  const { kind, now, leaseMs, places, perOrganization, running } = options
  const { waiting, ready, group } = rows
  const table = sql.table(rows.table)
  const columns = (of: string, names: readonly string[] = rows.key) =>
    sql.join(names.map((name) => sql.ref(`${of}.${name}`)))
  const sameRow = sql.join(
    rows.key.map((name) => sql`${sql.ref(`target.${name}`)} = ${sql.ref(`chosen.${name}`)}`),
    sql` AND `,
  )
  const groupOf = (of: string) => sql.ref(`${of}.${group?.column ?? ''}`)
  const room = group
    ? sql`${group.atOnce} - (
        SELECT count(*) FROM ${table} AS other WHERE ${groupOf('other')} = ${groupOf('item')} AND other.leased_until > ${now}
      )`
    : sql`1`
  const inGroup = group ? sql`row_number() OVER (PARTITION BY group_key ORDER BY due_at)` : sql`1`
  return sql<Lease<Key>>`
    WITH RECURSIVE organization_with_work AS (
      (SELECT organization_id AS id FROM ${table} WHERE ${waiting} ORDER BY organization_id LIMIT 1)
      UNION ALL
      SELECT (
        SELECT organization_id FROM ${table} WHERE ${waiting} AND organization_id > one.id ORDER BY organization_id LIMIT 1
      ) FROM organization_with_work AS one WHERE one.id IS NOT NULL
    ), candidate AS (
      SELECT item.*, coalesce(given.count, 0) AS running, turn.taken_at
      FROM organization_with_work AS one
      LEFT JOIN ${givenRows([...running], { id: ['text', ([id]) => id], count: ['integer', ([, count]) => count] })} USING (id)
      LEFT JOIN work_turn AS turn ON turn.kind = ${kind} AND turn.organization_id = one.id
      CROSS JOIN LATERAL (
        SELECT item.organization_id, item.due_at, ${columns('item')}, ${group ? groupOf('item') : sql`''`} AS group_key, ${room} AS room
        FROM ${table} AS item
        WHERE ${isDue(rows, now)} AND item.organization_id = one.id AND ${room} > 0 AND ${ready?.(now) ?? sql`true`}
        ORDER BY item.due_at
        LIMIT least(${places}, ${perOrganization} - coalesce(given.count, 0))
        FOR UPDATE OF item SKIP LOCKED
      ) AS item
      WHERE coalesce(given.count, 0) < ${perOrganization}
    ), chosen AS (
      SELECT ${columns('placed')}, organization_id
      FROM (
        SELECT candidate.*, ${inGroup} AS in_group,
          running + row_number() OVER (PARTITION BY organization_id ORDER BY due_at) AS place
        FROM candidate
      ) AS placed
      WHERE in_group <= room
      ORDER BY place, taken_at NULLS FIRST, due_at
      LIMIT ${places}
    ), turn AS (
      INSERT INTO work_turn (kind, organization_id, taken_at)
      SELECT ${kind}, organization_id, clock_timestamp() FROM chosen GROUP BY organization_id
      ON CONFLICT (kind, organization_id) DO UPDATE SET taken_at = excluded.taken_at
    )
    UPDATE ${table} AS target
    SET attempts = target.attempts + 1, claim = target.claim + 1, leased_until = ${later(now, leaseMs)}
    FROM chosen WHERE ${sameRow}
    RETURNING ${columns('target')}, target.organization_id AS "organizationId", target.claim, target.attempts`
}

/** Prolongs a lease and changes the row. False when another process has it by now, or it was ended. */
export async function renew<Table extends WorkTable, Key extends string>(
  db: Db,
  rows: LeasedRows<Table, Key>,
  lease: Lease<Key>,
  { now, leaseMs, set }: { now: RawBuilder<Date>; leaseMs: number; set?: Updateable<Schema[Table]> | undefined },
): Promise<boolean> {
  return update(db, rows, lease, { ...set, leased_until: later(now, leaseMs) })
}

/** Ends a lease and changes the row in the same statement. False when another process has it by now, or it was ended. */
export function settle<Table extends WorkTable, Key extends string>(
  db: Db,
  rows: LeasedRows<Table, Key>,
  lease: Lease<Key>,
  set: Updateable<Schema[Table]>,
): Promise<boolean> {
  return update(db, rows, lease, { ...set, leased_until: null })
}

/** Ends a lease as if it had not been: the cause is ours. */
export function giveBack<Table extends WorkTable, Key extends string>(
  db: Db,
  rows: LeasedRows<Table, Key>,
  lease: Lease<Key>,
  set?: Updateable<Schema[Table]>,
): Promise<boolean> {
  return update(db, rows, lease, { ...set, leased_until: null, attempts: lease.attempts - 1 })
}

async function update<Key extends string>(
  db: Db,
  rows: LeasedRows<WorkTable, Key>,
  lease: Lease<Key>,
  set: object,
): Promise<boolean> {
  // The columns have been checked against the table; here it may be any of them.
  let query = db.updateTable(rows.table as 'job').set(set)
  for (const name of rows.key) query = query.where(name as 'id', '=', lease[name])
  const { numUpdatedRows } = await query
    .where('claim', '=', lease.claim)
    .where('leased_until', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Reports for each kind of rows whether one may be taken: much cheaper than a claim, which is why a process asks this first. */
export async function findDue(db: Db, kinds: readonly LeasedRows[], now: RawBuilder<Date>): Promise<boolean[]> {
  if (kinds.length === 0) return []
  const each = kinds.map(
    (rows) => sql`EXISTS (
      SELECT FROM ${sql.table(rows.table)} AS item WHERE ${isDue(rows, now)} AND ${rows.ready?.(now) ?? sql`true`}
    )`,
  )
  const { rows: found } = await sql<{ due: boolean[] }>`SELECT ARRAY[${sql.join(each)}] AS due`.execute(db)
  return found[0]?.due ?? []
}

/** Seconds that the row which is due for longest has waited for a process; 0 when none waits. */
export async function longestWait(db: Db, rows: LeasedRows): Promise<number> {
  const { rows: found } = await sql<{ seconds: number | null }>`
    SELECT extract(epoch FROM now() - min(item.due_at))::float8 AS seconds FROM ${sql.table(rows.table)} AS item
    WHERE ${isDue(rows, sql<Date>`now()`)}`.execute(db)
  return found[0]?.seconds ?? 0
}

const isDue = ({ waiting }: LeasedRows, now: RawBuilder<Date>) => sql`
  ${waiting} AND item.due_at <= ${now} AND (item.leased_until IS NULL OR item.leased_until <= ${now})`
