import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { awaitEmbeddedPostgres } from '@plantroom/cloud/db/embedded/find-server'
import pg from 'pg'
import { answerParent } from './journal-file.ts'

/**
 * Floor of an import: adds the rows of an imported site, held in memory, to another site. Reads, checks, looks up and
 * reports nothing. Argument: the data folder of the cloud.
 */
const [folder = ''] = process.argv.slice(2)
const BATCH_TICKETS = 1000
/** In the order of their foreign keys. */
const TABLES = ['ticket', 'ticket_comment', 'ticket_tag'] as const

interface Part {
  statement: string
  columns: readonly string[]
  /** One batch: a list of texts per column. */
  batches: readonly (readonly (string | null)[])[][]
}

const address = await awaitEmbeddedPostgres({
  folder: join(folder, 'postgres'),
  clock: systemClock,
  log: createLog('floor', 'silent'),
  signal: AbortSignal.timeout(30_000),
})
const client = new pg.Client({ ...address })
await client.connect()
let parts: readonly Part[] = []
let times = 0

async function readPart(table: (typeof TABLES)[number], siteId: string): Promise<Part> {
  const { rows: described } = await client.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
    [table],
  )
  const columns = described.map(({ name }) => name)
  const { rows } = await client.query<(string | null)[]>({
    text: `SELECT ticket.number::text, ${columns.map((name) => `part.${name}::text`).join(', ')}
      FROM ticket JOIN ${table} AS part ON part.${table === 'ticket' ? 'id' : 'ticket_id'} = ticket.id
      WHERE ticket.site_id = $1 ORDER BY ticket.number`,
    values: [siteId],
    rowMode: 'array',
  })
  const batches: (string | null)[][][] = []
  for (const [number, ...values] of rows) {
    const place = Math.floor((Number(number) - 1) / BATCH_TICKETS)
    batches[place] ??= columns.map(() => [])
    for (const [column, value] of values.entries()) batches[place][column]?.push(value)
  }
  // Arrays of arrays must have equal lengths; as text they need not.
  const isArray = (type: string) => type.endsWith('[]')
  const given = described.map(({ type }, index) => `$${index + 1}::${isArray(type) ? 'text' : type}[]`)
  const taken = described.map(({ name, type }) => (isArray(type) ? `${name}::${type}` : name))
  const statement = `INSERT INTO ${table} (${columns.join(', ')})
    SELECT ${taken.join(', ')} FROM unnest(${given.join(', ')}) AS new (${columns.join(', ')})`
  return { statement, columns, batches }
}

/** Returns the same rows for another site. */
function moved(rows: readonly Part[], siteId: string): Part[] {
  times += 1
  return rows.map((part) => ({
    ...part,
    batches: part.batches.map((columns) =>
      columns.map((values, column) => {
        const name = part.columns[column]
        if (name === 'site_id') return values.map(() => siteId)
        return name === 'id' || name === 'ticket_id' ? values.map((id) => `${id}_${times}`) : values
      }),
    ),
  }))
}

async function insert(rows: readonly Part[]): Promise<number> {
  const from = performance.now()
  for (const batch of rows[0]?.batches.keys() ?? []) {
    await client.query('BEGIN')
    for (const { statement, batches } of rows) if (batches[batch]) await client.query(statement, batches[batch])
    await client.query('COMMIT')
  }
  return (performance.now() - from) / 1000
}

answerParent(async (question: { read: string } | { insert: string } | { job: string }) => {
  if ('read' in question) {
    parts = []
    for (const table of TABLES) parts = [...parts, await readPart(table, question.read)]
    return {
      rows: parts.reduce((sum, { batches }) => sum + batches.reduce((all, [ids]) => all + (ids?.length ?? 0), 0), 0),
    }
  }
  if ('insert' in question) return { seconds: await insert(moved(parts, question.insert)) }
  // No API response contains the times of a job.
  const { rows } = await client.query<{ seconds: number }>(
    'SELECT extract(epoch FROM finished_at - started_at)::double precision AS seconds FROM job WHERE id = $1',
    [question.job],
  )
  return { seconds: rows[0]?.seconds ?? Number.NaN }
})
