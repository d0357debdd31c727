import { newId } from '@plantroom/base/ids'
import { createLog } from '@plantroom/base/log'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase } from '../database.ts'
import { sql as organizations } from './0001-organizations.ts'
import { sql as commissioningVersions } from './0024-commissioning-versions.ts'

test('what is commissioned already becomes the first version of each system', async () => {
  const { host, port, user } = inject('postgres')
  const database = newId('earlier')
  const client = new pg.Client({ host, port, user, database: 'template1' })
  await client.connect()
  await client.query(`CREATE DATABASE ${database} TEMPLATE template0`)
  await client.end()
  const db = openDatabase({ host, port, user, database }, createLog('test', 'silent'))
  onTestFinished(() => db.destroy())
  await sql.raw(organizations).execute(db)
  await sql`INSERT INTO organization (id, name) VALUES ('org', 'Organization')`.execute(db)
  await sql`INSERT INTO site (id, organization_id, name) VALUES ('site', 'org', 'Site')`.execute(db)
  for (const device of ['dev1', 'dev2']) {
    await sql`
      INSERT INTO device (id, organization_id, site_id, name, secret_hash)
      VALUES (${device}, 'org', 'site', ${device}, sha256('x'))`.execute(db)
    for (const system of ['a', 'b']) {
      const document = JSON.stringify({ name: system, connections: [] })
      await sql`
        INSERT INTO technical_system (id, device_id, name, document)
        VALUES (${device + system}, ${device}, ${system}, ${document})`.execute(db)
    }
  }
  await sql.raw(commissioningVersions).execute(db)
  const { rows } = await sql`
    SELECT device_id, version, technical_system_id, document->>'name' AS name, changed_at, changed_by
    FROM commissioning_version ORDER BY device_id, version`.execute(db)
  expect(rows).toEqual(
    ['dev1', 'dev2'].flatMap((device_id) =>
      ['a', 'b'].map((name, index) => ({
        ...{ device_id, version: index + 1, technical_system_id: device_id + name, name },
        ...{ changed_at: null, changed_by: null },
      })),
    ),
  )
})
