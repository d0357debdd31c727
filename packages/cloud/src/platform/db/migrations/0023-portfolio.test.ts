import { newId } from '@plantroom/base/ids'
import { createLog } from '@plantroom/base/log'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase } from '../database.ts'
import { sql as organizations } from './0001-organizations.ts'
import { sql as alertsAndWebhooks } from './0018-alerts-and-webhooks.ts'
import { sql as portfolio } from './0023-portfolio.ts'

test('lists the datapoints of systems from before, and of every later change', async () => {
  const { host, port, user } = inject('postgres')
  const database = newId('earlier')
  const client = new pg.Client({ host, port, user, database: 'template1' })
  await client.connect()
  await client.query(`CREATE DATABASE ${database} TEMPLATE template0`)
  await client.end()
  const db = openDatabase({ host, port, user, database }, createLog('test', 'silent'))
  onTestFinished(() => db.destroy())
  for (const text of [organizations, alertsAndWebhooks]) await sql.raw(text).execute(db)
  await sql`INSERT INTO organization (id, name) VALUES ('org', 'Organization')`.execute(db)
  await sql`INSERT INTO site (id, organization_id, name) VALUES ('site', 'org', 'Site')`.execute(db)
  await sql`
    INSERT INTO device (id, organization_id, site_id, name, secret_hash)
    VALUES ('dev', 'org', 'site', 'Device', sha256('x'))`.execute(db)
  const load = (id: string, document: string) =>
    sql`
      INSERT INTO technical_system (id, device_id, name, document) VALUES (${id}, 'dev', ${id}, ${document})
      ON CONFLICT (id) DO UPDATE SET document = EXCLUDED.document`.execute(db)
  const datapoints = [
    { id: 'grid', name: 'Grid POWER', unit: 'kW' },
    { id: 'solar', name: 'Solar', tags: ['site.power', 'pv'] },
    { id: 'fan', name: 'Fan' },
  ]
  await load('first', JSON.stringify({ connections: [{ datapoints }], peakShaving: { meterId: 'grid' } }))
  await load(
    'older',
    JSON.stringify({ connections: [{ datapoints: [{ id: 'lamp', name: 'Lamp' }] }], peakShaving: null }),
  )
  // Nothing of today writes these; the database takes them.
  await load('unreadable', '{"connections": [{"datapoints": [{"id": "\\u0000", "name": "x"}]}]}')
  await load('nameless', '{"connections": [{"datapoints": [{"id": "x"}]}]}')
  await load('empty', '{}')
  await sql.raw(portfolio).execute(db)

  const listed = async () =>
    (
      await sql`
        SELECT id, organization_id AS org, search, unit, is_peak_meter AS meter, is_power AS power
        FROM listed_datapoint ORDER BY id`.execute(db)
    ).rows
  const plain = { org: 'org', unit: null, meter: false, power: false }
  expect(await listed()).toEqual([
    { ...plain, id: 'fan', search: 'fan' },
    { ...plain, id: 'grid', search: 'grid power', unit: 'kW', meter: true, power: true },
    { ...plain, id: 'lamp', search: 'lamp' },
    { ...plain, id: 'solar', search: 'solar', power: true },
  ])
  await load('first', JSON.stringify({ connections: [{ datapoints: [{ id: 'fan', name: 'Roof fan' }] }] }))
  await sql`DELETE FROM technical_system WHERE id = 'older'`.execute(db)
  expect(await listed()).toEqual([{ ...plain, id: 'fan', search: 'roof fan' }])
})
