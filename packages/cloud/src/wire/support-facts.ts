import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { reasonOf } from '@plantroom/base/diagnosis'
import { readLocalService, trustCertificate } from '@plantroom/base/local-service'
import type { CloudConfig } from '../config.ts'
import { withClient } from '../platform/doctor/index.ts'
import { databaseAddress } from './doctor.ts'

const ANSWER_MS = 5_000
/** Files of the data folder that contain one secret each. */
const SECRET_FILES = ['admin-token', 'setup-token', 'factor-key', 'activity-key', 'files-secret']

/** Sizes and estimated numbers of rows: exact counts of large tables take minutes. */
const TABLES = `SELECT relname AS name, n_live_tup::float AS rows, pg_total_relation_size(relid)::float AS bytes
  FROM pg_stat_user_tables ORDER BY relname`
const JOBS = 'SELECT name, status, resolved, count(*)::integer AS count FROM job GROUP BY 1, 2, 3 ORDER BY 1, 2, 3'
const EXACT = `SELECT (SELECT count(*)::integer FROM organization) AS organizations,
  (SELECT count(*)::integer FROM site) AS sites, (SELECT count(*)::integer FROM device) AS devices,
  (SELECT count(*)::integer FROM user_account) AS people,
  (SELECT max(name) FROM kysely_migration) AS schema, current_setting('server_version') AS postgresql`

/** What a support bundle says about a cloud: numbers, never contents. */
export async function cloudFacts(config: CloudConfig) {
  const { folder } = config
  return { folder, counts: await countsOf(config), metrics: await metricsOf(config), secrets: await secretsIn(folder) }
}

async function countsOf(config: CloudConfig): Promise<unknown> {
  try {
    const address = await databaseAddress(config)
    if (address === undefined) return { note: 'the embedded database does not run' }
    return await withClient(address, async (client) => ({
      ...(await client.query(EXACT)).rows[0],
      jobs: (await client.query(JOBS)).rows,
      tables: (await client.query(TABLES)).rows,
    }))
  } catch (error) {
    return { note: `the database did not answer: ${reasonOf(error)}` }
  }
}

async function metricsOf({ folder }: CloudConfig): Promise<string | undefined> {
  const service = readLocalService(folder)
  if (!service) return undefined
  if (service.certificate !== null) trustCertificate(service.certificate)
  try {
    const reply = await fetch(`${service.url}/metrics`, { signal: AbortSignal.timeout(ANSWER_MS), redirect: 'error' })
    return reply.ok ? await reply.text() : undefined
  } catch {
    return undefined
  }
}

async function secretsIn(folder: string): Promise<string[]> {
  const contents = SECRET_FILES.map((name) => readFile(join(folder, name), 'utf8').catch(() => ''))
  const token = readLocalService(folder)?.token ?? ''
  return [...(await Promise.all(contents)), token].map((text) => text.trim()).filter((text) => text !== '')
}
