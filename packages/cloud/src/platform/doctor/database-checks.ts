import { type Clock, sleep } from '@plantroom/base/clock'
import { checkOffset, type Finding, ok, problem, warning } from '@plantroom/base/diagnosis'
import { newId } from '@plantroom/base/ids'
import pg from 'pg'
import type { DatabaseAddress } from '../db/database.ts'
import { migrationNames } from '../db/migrate.ts'

const OLDEST = 15
const CONNECT_MS = 8_000
const NOTIFY_MS = 3_000
/** A cloud process and a worker have up to 20 each. */
const FEW_CONNECTIONS = 25
const MINUTE_MS = 60_000
const SILENT_WORKER_MS = 5 * MINUTE_MS

export const DATABASE_REMEDY =
  'check that PostgreSQL runs (pg_isready), that DATABASE_URL has the right host, name and password, and that pg_hba.conf lets this machine in'

/** Runs queries on a connection of its own. */
export async function withClient<Result>(
  address: DatabaseAddress,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    ...address,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
    application_name: 'plantroom doctor',
  })
  // Without a listener, a connection that breaks between queries would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end().catch(() => {})
  }
}

interface Facts {
  version: number
  shown: string
  encoding: string
  left: number
  tables: boolean
  now: Date
}

const FACTS = `SELECT current_setting('server_version_num')::integer / 10000 AS version,
  current_setting('server_version') AS shown, current_setting('server_encoding') AS encoding,
  current_setting('max_connections')::integer - (SELECT count(*)::integer FROM pg_stat_activity) AS left,
  to_regclass('kysely_migration') IS NOT NULL AS tables, clock_timestamp() AS now`

/** Reachable, new enough, of a schema that this version knows, and with a clock that agrees. */
export function checkDatabase(
  address: DatabaseAddress,
  clock: Clock,
): Promise<{ database: Finding[]; clock: Finding }> {
  return withClient(address, async (client) => {
    await client.query('SELECT 1')
    const before = clock.now()
    const { rows } = await client.query<Facts>(FACTS)
    const between = (before + clock.now()) / 2
    const [facts] = rows
    if (!facts) throw new Error('the database did not answer')
    const database = [...versionFindings(facts), await schemaFinding(client, facts)]
    return { database, clock: checkOffset(between - facts.now.getTime(), 'the clock of the database') }
  })
}

function versionFindings({ version, shown, encoding, left }: Facts): Finding[] {
  const findings: Finding[] = []
  if (version < OLDEST) findings.push(problem(`PostgreSQL ${shown} is too old`, `use PostgreSQL ${OLDEST} or newer`))
  else findings.push(ok(`PostgreSQL ${shown} answers`))
  if (encoding !== 'UTF8') {
    findings.push(problem(`its encoding is ${encoding}`, "create the database anew with ENCODING 'UTF8'"))
  }
  if (left < FEW_CONNECTIONS) {
    findings.push(warning(`it accepts only ${left} more connections`, 'raise max_connections, or use PgBouncer'))
  }
  return findings
}

async function schemaFinding(client: pg.Client, { tables }: Facts): Promise<Finding> {
  if (!tables) return ok('the database is empty; the first start creates the tables')
  const { rows } = await client.query<{ name: string }>('SELECT name FROM kysely_migration ORDER BY name')
  const done = rows.map(({ name }) => name)
  const unknown = done.filter((name) => !migrationNames.includes(name))
  if (unknown.length > 0) {
    return problem(
      `a newer Plantroom wrote the database (it has ${unknown.join(', ')})`,
      'start that version, or restore a backup from before it',
    )
  }
  const missing = migrationNames.length - done.length
  return missing === 0
    ? ok(`schema ${done.at(-1)}`)
    : warning(`${missing} migrations are missing`, 'make a backup, then start the cloud, which runs them')
}

/** Whether a change announced on one connection arrives on the other: behind a pooler in transaction mode it does not. */
export async function checkAnnouncements(
  address: DatabaseAddress,
  listenAddress: DatabaseAddress,
  clock: Clock,
): Promise<Finding> {
  const channel = newId('doctor')
  return withClient(listenAddress, async (listener) => {
    const heard = new Promise<true>((resolve) => listener.on('notification', () => resolve(true)))
    await listener.query(`LISTEN "${channel}"`)
    await withClient(address, (sender) => sender.query('SELECT pg_notify($1, $2)', [channel, '']))
    const done = new AbortController()
    const arrived = await Promise.race([heard, sleep(clock, NOTIFY_MS, done.signal)]).finally(() => done.abort())
    return arrived
      ? ok('changes are announced')
      : problem(
          'the database does not announce changes on this connection',
          'behind PgBouncer in transaction mode, set PLANTROOM_LISTEN_URL to the address of PostgreSQL itself, or use session mode',
        )
  })
}

/** Whether a worker looks after jobs, mail and exports. */
export function checkWorker(address: DatabaseAddress, clock: Clock): Promise<Finding> {
  const remedy = 'start "plantroom worker" with the settings of the cloud; if it runs, its log says what it waits for'
  return withClient(address, async (client) => {
    const { rows: found } = await client.query<{ tables: boolean }>(
      "SELECT to_regclass('automatic_export_look') IS NOT NULL AND to_regclass('job') IS NOT NULL AS tables",
    )
    if (!found[0]?.tables) return ok('nothing to do before the first start of the cloud')
    const { rows } = await client.query<{ silent: number | null; waiting: number }>(
      `SELECT extract(epoch FROM now() - nullif((SELECT looked_at FROM automatic_export_look), '-infinity'))::float * 1000 AS silent,
        (SELECT count(*)::integer FROM job WHERE NOT resolved AND status <> 'RUNNING' AND due_at < $1) AS waiting`,
      [new Date(clock.now() - SILENT_WORKER_MS)],
    )
    const { silent = null, waiting = 0 } = rows[0] ?? {}
    if (silent === null) return warning('no worker has run yet', remedy)
    if (silent > SILENT_WORKER_MS) {
      return problem(`no worker has run for ${Math.floor(silent / MINUTE_MS)} minutes`, remedy)
    }
    if (waiting > 0)
      return warning(
        `${waiting} ${waiting === 1 ? 'job has' : 'jobs have'} waited for more than 5 minutes`,
        'start more workers',
      )
    return ok('a worker runs')
  })
}
