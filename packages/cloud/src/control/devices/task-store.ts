import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** Identifies a task among those of its kind. */
export interface TaskKey {
  deviceId: string
  subject: string
}

/** A task that this process has to itself for a while. */
export interface DeviceTask extends TaskKey {
  organizationId: string
  /** Grows with each lease, and when the task is asked for again: results of an older one do not count. */
  claim: number
  /** Including the current one. */
  attempts: number
  /** A command that is sent now must not take effect later. */
  sentUntil: Date
  /** The same of an earlier attempt that was not answered; `null` when there is none. */
  sentBefore: Date | null
}

/** What has become of a task. It is done unless it is due again. */
export interface TaskResult {
  task: TaskKey & Pick<DeviceTask, 'claim'>
  again?: Again
}

interface Again {
  inMs: number
  /** The attempt failed. The next one does not wait that long when the device comes back. */
  hasFailed: boolean
  /** Stays as the claim set it unless given: a command may have been sent. */
  sentUntil?: Date | null
}

const FIRST_BACKOFF_MS = 1_000
const LONGEST_BACKOFF_MS = 30_000
const backoffMs = (attempts: number) =>
  Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.max(0, Math.min(attempts, 20) - 1))

export const done = <Task extends TaskResult['task']>(task: Task) => ({ task })

/** Failed. Each attempt waits longer for the next, unless the kind knows better. */
export const retry = <Task extends TaskResult['task'] & Pick<DeviceTask, 'attempts'>>(
  task: Task,
  inMs: number = backoffMs(task.attempts),
) => ({
  task,
  again: { inMs, hasFailed: true },
})

/** Did what it should for now, and is to be done once more. */
export const later = <Task extends TaskResult['task']>(task: Task, inMs: number) => ({
  task,
  again: { inMs: Math.max(0, inMs), hasFailed: false },
})

/** A device that has tasks, and whose it is. */
export interface TaskOwner {
  deviceId: string
  organizationId: string
}

/** A device with tasks of a kind that are due and that no process has. */
export interface DueDevice extends TaskOwner {
  kind: string
  /** For how many seconds it has been due. */
  waited: number
}

export interface ClaimOptions<About> {
  kind: string
  deviceIds: readonly string[]
  /** Devices that have just come back: what failed is due. */
  back: readonly string[]
  now: RawBuilder<Date>
  leaseMs: number
  /** The end of the lease by the clock of this process, as in the commands that it sends. */
  sentUntil: Date
  /** Of each device: those of one with many tasks leave room for the others. */
  perDevice: number
  load(tx: Db, tasks: readonly DeviceTask[], now: RawBuilder<Date>): Promise<readonly (About & TaskKey)[]>
}

/**
 * Adds one task for each row of `given`, which has the columns `device_id`, `subject`, `due_at` (at once when it is null) and
 * `ends_at`. A task that exists starts again: what a process is doing about it does not count any more.
 */
export const addTasks = (kind: string, given: RawBuilder<unknown>) => sql`
  INSERT INTO device_task AS task (device_id, kind, subject, organization_id, due_at, ends_at)
  SELECT device.id, ${kind}, given.subject, device.organization_id, coalesce(given.due_at, now()), given.ends_at
  FROM (${given}) AS given JOIN device ON device.id = given.device_id
  ON CONFLICT (device_id, kind, subject) DO UPDATE SET
    due_at = excluded.due_at, ends_at = excluded.ends_at, leased_until = NULL, sent_until = NULL, attempts = 0,
    claim = task.claim + 1`

export type TaskStore = ReturnType<typeof createTaskStore>

/** The queue of all controllers. Safe in several processes: a lease gives each task to one of them. */
export function createTaskStore(db: Db) {
  return {
    /** The devices with tasks that are due, those that are due for longest first. */
    async due(now: RawBuilder<Date>, back: readonly string[]): Promise<DueDevice[]> {
      const { rows } = await sql<DueDevice>`
        SELECT kind, device_id AS "deviceId", organization_id AS "organizationId",
          extract(epoch FROM ${once(now)} - min(due_at))::float8 AS waited
        FROM device_task WHERE ${isDue(now, back)}
        GROUP BY kind, device_id, organization_id ORDER BY min(due_at)`.execute(db)
      return rows
    },

    /** How long until the next task becomes due; `undefined` when none does. */
    async nextDueMs(now: RawBuilder<Date>): Promise<number | undefined> {
      const { rows } = await sql<{ ms: number | null }>`
        SELECT extract(epoch FROM min(due_at) - ${once(now)})::float8 * 1000 AS ms
        FROM device_task WHERE due_at > ${once(now)}`.execute(db)
      return rows[0]?.ms ?? undefined
    },

    /** Takes tasks of these devices and reads what they are about. What is about nothing any more is dropped. */
    claim: <About>(options: ClaimOptions<About>): Promise<(DeviceTask & About)[]> =>
      db.transaction().execute(async (tx) => {
        const { kind, now, load } = options
        const tasks = await claim(tx, options)
        if (tasks.length === 0) return []
        const about = new Map((await load(tx, tasks, now)).map((one) => [keyOf(one), one]))
        const loaded = tasks.flatMap((task) => {
          const own = about.get(keyOf(task))
          return own ? [{ ...own, ...task }] : []
        })
        if (loaded.length < tasks.length) {
          const gone = tasks.filter((task) => !about.has(keyOf(task)))
          await settleTasks(tx, { kind, results: gone.map(done), now })
        }
        return loaded
      }),
  }
}

/** Evaluated once for a statement. The clock of the database would otherwise be read for each row, and use no index. */
const once = (now: RawBuilder<Date>) => sql<Date>`(SELECT ${now})`

const isDue = (now: RawBuilder<Date>, back: readonly string[]) => sql`
  (due_at <= ${once(now)} OR (attempts > 0 AND device_id = ANY(${[...back]}::text[])))
  AND (leased_until IS NULL OR leased_until <= ${once(now)}) AND (ends_at IS NULL OR ends_at > ${once(now)})`

const keyOf = ({ deviceId, subject }: TaskKey) => `${deviceId} ${subject}`

/** Counts as sending: a process that dies afterwards may have sent it. */
async function claim(tx: Db, options: Omit<ClaimOptions<unknown>, 'load'>): Promise<DeviceTask[]> {
  const { kind, deviceIds, back, now, leaseMs, sentUntil, perDevice } = options
  const { rows } = await sql<DeviceTask>`
    WITH due AS (
      SELECT own.* FROM unnest(${[...deviceIds]}::text[]) AS device (id), LATERAL (
        SELECT device_id, subject, sent_until FROM device_task
        WHERE kind = ${kind} AND device_id = device.id AND ${isDue(now, back)}
        ORDER BY due_at, length(subject), subject LIMIT ${perDevice} FOR UPDATE SKIP LOCKED
      ) AS own
    )
    UPDATE device_task AS task SET
      leased_until = ${once(now)} + make_interval(secs => ${leaseMs / 1000}),
      sent_until = LEAST(${sentUntil}, task.ends_at), claim = task.claim + 1, attempts = task.attempts + 1
    FROM due WHERE task.kind = ${kind} AND task.device_id = due.device_id AND task.subject = due.subject
    RETURNING task.device_id AS "deviceId", task.subject, task.organization_id AS "organizationId", task.claim,
      task.attempts, task.sent_until AS "sentUntil", due.sent_until AS "sentBefore"`.execute(tx)
  return rows
}

/** Stores what has become of tasks, and returns the results that count: those under the latest claim. */
export async function settleTasks<Result extends TaskResult>(
  tx: Db,
  { kind, results, now }: { kind: string; results: readonly Result[]; now: RawBuilder<Date> },
): Promise<Result[]> {
  if (results.length === 0) return []
  const column = <Value>(of: (result: Result) => Value) => results.map(of)
  const isSame = sql`task.kind = ${kind} AND task.device_id = given.device_id AND task.subject = given.subject
    AND task.claim = given.claim`
  const { rows } = await sql<TaskKey>`
    WITH given AS (
      SELECT * FROM unnest(
        ${column(({ task }) => task.deviceId)}::text[],
        ${column(({ task }) => task.subject)}::text[],
        ${column(({ task }) => task.claim)}::integer[],
        ${column(({ again }) => (again ? again.inMs / 1000 : null))}::float8[],
        ${column(({ again }) => again?.hasFailed)}::boolean[],
        ${column(({ again }) => again?.sentUntil === undefined)}::boolean[],
        ${column(({ again }) => again?.sentUntil)}::timestamptz[]
      ) AS given (device_id, subject, claim, due_in, has_failed, keeps_sent, sent_until)
    ), done AS (
      DELETE FROM device_task AS task USING given WHERE ${isSame} AND given.due_in IS NULL
      RETURNING task.device_id, task.subject
    ), again AS (
      UPDATE device_task AS task SET
        due_at = ${once(now)} + make_interval(secs => given.due_in), leased_until = NULL,
        attempts = CASE WHEN given.has_failed THEN task.attempts ELSE 0 END,
        sent_until = CASE WHEN given.keeps_sent THEN task.sent_until ELSE given.sent_until END
      FROM given WHERE ${isSame} AND given.due_in IS NOT NULL
      RETURNING task.device_id, task.subject
    )
    SELECT device_id AS "deviceId", subject FROM done UNION ALL SELECT device_id, subject FROM again`.execute(tx)
  const settled = new Set(rows.map(keyOf))
  return results.filter(({ task }) => settled.has(keyOf(task)))
}
