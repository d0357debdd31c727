import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { createLog } from '@plantroom/base/log'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { type CloudConfig, readConfig } from '../../config.ts'
import { call, startTestCloud } from '../../testing/cloud.ts'
import { createPlainDatabase } from '../../testing/database.ts'
import { backUp, checkBackup, restore } from '../../wire/backup.ts'
import { type Db, openDatabase } from '../db/database.ts'
import { OWN_OBJECTS } from '../db/migrate.ts'
import { SECRETS } from './format.ts'
import { openBackup } from './reader.ts'
import { FIXTURE } from './testing/fixture.ts'
import { writeBackup } from './testing/write-backup.ts'
import { meaningOf, rowsIn } from './verify.ts'

/** Settings of a machine without data. */
async function emptyMachine(): Promise<CloudConfig & { databaseUrl: string }> {
  return { ...readConfig({}), folder: temporaryFolder(), databaseUrl: await createPlainDatabase() }
}

function open({ databaseUrl }: { databaseUrl: string }): Db {
  const db = openDatabase({ connectionString: databaseUrl }, createLog('test', 'silent'))
  onTestFinished(() => db.destroy())
  return db
}

async function backedUp(config: CloudConfig, own: Partial<Parameters<typeof backUp>[1]> = {}): Promise<string> {
  const chunks: Buffer[] = []
  await backUp(config, { withBucket: false, ...own, write: async (bytes) => void chunks.push(Buffer.from(bytes)) })
  const path = join(temporaryFolder(), 'made.backup')
  writeFileSync(path, Buffer.concat(chunks))
  return path
}

/** The names and contents of a backup, without those that differ by its time. */
async function contentsOf(path: string): Promise<Record<string, string>> {
  const reader = await openBackup(path)
  const found: Record<string, string> = {}
  for await (const entry of reader.entries()) {
    const meaning = meaningOf(path, entry)
    if (meaning)
      found[entry.name] = (await (meaning.kind === 'table' ? rowsIn(path, entry) : entry.whole())).toString('latin1')
  }
  reader.close()
  return found
}

const tablesOf = async (db: Db) =>
  (
    await sql<{ name: string }>`SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`.execute(db)
  ).rows.map(({ name }) => name)

test('data of version 0.1.0 is restored, serves everybody who had access, and can be backed up and restored again', async () => {
  const machine = await emptyMachine()
  await restore(machine, FIXTURE.path, { replace: false })
  // Only the service reads them, and nothing is left of the restore.
  const modeOf = (name: string) => statSync(join(machine.folder, name)).mode & 0o777
  expect([modeOf('admin-token'), modeOf('files/blobs')]).toEqual([0o600, 0o700])
  expect(readdirSync(join(machine.folder, 'files'))).not.toEqual(expect.arrayContaining([expect.stringMatching(/^re/)]))
  const cloud = await startTestCloud({ ...machine, port: 0, mqttPort: 0, logLevel: 'silent' })
  onTestFinished(() => cloud.stop())
  const asKey = { headers: { 'X-Api-Key': FIXTURE.apiKey } }
  const asAdmin = { headers: { Authorization: `Bearer ${FIXTURE.adminToken}` } }
  const { orgId, siteId, deviceId } = FIXTURE

  const organizations = await call(cloud, 'GET', '/api/orgs', asAdmin)
  expect(organizations.body).toMatchObject({
    organizations: [{ name: 'Demo organization' }, { name: 'Second organization' }],
  })
  const headers = { origin: cloud.ready.baseUrl }
  expect((await call(cloud, 'POST', '/api/session', { headers, body: FIXTURE.user })).status).toBe(200)
  const reports = await call(cloud, 'GET', `/api/orgs/${orgId}/reports`, asKey)
  expect(reports.body.reports).toHaveLength(6)
  expect(reports.body.reports).toContainEqual(expect.objectContaining({ deviceId, phase: 'applied', value: 25 }))
  const requests = await call(cloud, 'GET', `/api/orgs/${orgId}/properties/${siteId}/tickets`, asKey)
  expect(JSON.stringify(requests.body)).toContain('Tap leaks')
  await expect(restore(machine, FIXTURE.path, { replace: true })).rejects.toThrow(/connections of a running Plantroom/)

  const again = await backedUp(cloud.config)
  expect((await checkBackup(again)).manifest.files).toBe(3)
  await cloud.stop()
  const db = open(machine)
  await sql`UPDATE organization SET name = 'Changed' WHERE id = ${orgId}`.execute(db)
  await sql`CREATE TABLE table_of_another_program (id int)`.execute(db)
  const tables = await tablesOf(db)
  expect(OWN_OBJECTS.tables).toEqual(expect.arrayContaining(tables.filter(isOurs)))
  await db.destroy()
  writeFileSync(join(machine.folder, 'admin-token'), 'changed')
  await expect(restore(machine, again, { replace: false })).rejects.toThrow('add --replace')
  expect(readFileSync(join(machine.folder, 'admin-token'), 'utf8')).toBe('changed')

  // As after a kill in the last step of a restore.
  writeFileSync(join(machine.folder, 'restoring'), '')
  await expect(startTestCloud({ ...machine })).rejects.toThrow('run plantroom restore with the same backup again')
  await restore(machine, again, { replace: false })
  expect(await contentsOf(await backedUp(machine))).toEqual(await contentsOf(again))
  const after = open(machine)
  expect(await tablesOf(after)).toEqual(tables)
  const disabled = sql`SELECT tgname FROM pg_trigger WHERE tgenabled <> 'O'`
  expect((await disabled.execute(after)).rows).toEqual([])

  // Everything that a data folder has is in a backup, or known to be left out.
  const known = [...SECRETS, 'files', 'lock', 'postgres', 'service.json']
  expect(readdirSync(machine.folder).filter((name) => !known.includes(name))).toEqual([])
})

const isOurs = (name: string) => !name.startsWith('kysely_') && name !== 'table_of_another_program'

test('an encrypted backup without secrets restores the rest, and names what is missing', async () => {
  const machine = await emptyMachine()
  await restore(machine, FIXTURE.path, { replace: false })
  const identity = await generateIdentity()
  const keys = { identities: [identity] }
  const encryptTo = { recipients: [await identityToRecipient(identity)] }
  const path = await backedUp(machine, { withoutSecrets: true, encryptTo })
  const next = await emptyMachine()
  await expect(restore(next, path, { replace: false })).rejects.toThrow('is encrypted')
  const restored = await restore(next, path, { replace: false, keys })
  const secrets = readdirSync(machine.folder).filter((name) => SECRETS.includes(name))
  expect(secrets).toContain('factor-key')
  expect(restored.description.withoutSecrets?.toSorted()).toEqual(secrets.toSorted())
  expect(readdirSync(next.folder).filter((name) => SECRETS.includes(name))).toEqual([])
  const { rows, files } = (await checkBackup(await backedUp(next))).manifest
  expect(restored.manifest).toMatchObject({ rows, files })
})

test('a restore that is refused changes nothing', async () => {
  const machine = await emptyMachine()
  const { description, manifest } = await checkBackup(FIXTURE.path)
  const none = Object.fromEntries(Object.keys(manifest.rows).map((name) => [name, 0]))
  const file = { name: 'files/exports/site_1/job_1', bytes: Buffer.from('export') }
  const rows = 'site_1\torg_that_is_missing\tSite\tUTC\tt\t2026-01-01\n'
  const orphan = { name: 'database/site/000001.copy.zst', bytes: zstdCompressSync(rows) }
  const columns = ['id', 'organization_id', 'name', 'time_zone', 'maintenance_requests', 'created_at']
  const tables = description.tables.map((table) => (table.name === 'site' ? { name: 'site', columns } : table))
  const counts = { rows: { ...none, site: 1 }, files: 1 }
  const loose = await writeBackup({ ...description, tables }, [file, orphan], counts)
  await expect(restore(machine, loose, { replace: false })).rejects.toThrow('foreign key')
  expect(existsSync(join(machine.folder, 'files/restoring'))).toBe(false)

  const migrations = [...description.migrations, '9999-of-the-future']
  const newer = await writeBackup({ ...description, migrations, plantroom: '9.0.0' }, [])
  await expect(restore(machine, newer, { replace: false })).rejects.toThrow(
    'was made by a newer Plantroom (9.0.0, with 9999-of-the-future): restore it with that version or a later one',
  )
  const listed = await writeBackup({ ...description, files: 'bucket' }, [], { rows: none })
  await expect(restore(machine, listed, { replace: false })).rejects.toThrow('make the backup with --with-bucket')
  await expect(backUp(machine, { withBucket: false, write: async () => {} })).rejects.toThrow('nothing to back up')
  const nowhere = { ...machine, databaseUrl: 'postgres://localhost:1/none' }
  await expect(backUp(nowhere, { withBucket: false, write: async () => {} })).rejects.toThrow(
    /cannot be reached \(.+\)/,
  )
  expect(await tablesOf(open(machine))).toEqual([])
  expect(readdirSync(machine.folder).filter((name) => name !== 'lock' && name !== 'files')).toEqual([])
})

test('a database that cannot store all text is refused before anything is written, also at the start of a cloud', async () => {
  const databaseUrl = await createPlainDatabase('LATIN1')
  const machine = { ...readConfig({}), folder: temporaryFolder(), databaseUrl }
  const refusal = /has the encoding LATIN1, which cannot store all text: create another one with .* ENCODING 'UTF8'/
  await expect(restore(machine, FIXTURE.path, { replace: true })).rejects.toThrow(refusal)
  expect(await tablesOf(open(machine))).toEqual([])
  expect(readdirSync(join(machine.folder, 'files'))).toEqual([])
  await expect(startTestCloud({ databaseUrl })).rejects.toThrow(refusal)
})
