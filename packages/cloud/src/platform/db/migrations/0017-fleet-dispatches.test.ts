import { newId } from '@plantroom/base/ids'
import { createLog } from '@plantroom/base/log'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase } from '../database.ts'
import { sql as organizations } from './0001-organizations.ts'
import { sql as fleetDispatches } from './0017-fleet-dispatches.ts'

const point = (id: string, about: object = {}) => ({ id, name: id, accessType: 'READ_WRITE', ...about })
const system = (...datapoints: object[]) => ({
  connections: [{ datapoints }],
  failsafes: [{ registerId: 'register', datapointId: 'power' }],
})

test('lists the writable datapoints of systems from before, and of every later change', async () => {
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
  await sql`
    INSERT INTO device (id, organization_id, site_id, name, secret_hash)
    VALUES ('dev', 'org', 'site', 'Device', sha256('x'))`.execute(db)
  const load = (id: string, document: string) =>
    sql`
      INSERT INTO technical_system (id, device_id, name, document) VALUES (${id}, 'dev', ${id}, ${document})
      ON CONFLICT (id) DO UPDATE SET document = EXCLUDED.document`.execute(db)
  const before = system(
    point('power', { writeInputData: { min: -5, max: 5 }, unit: 'kW', tags: ['a', 'b'] }),
    point('valve', { accessType: 'WRITE' }),
    point('meter', { accessType: 'READ' }),
    point('register'),
  )
  await load('first', JSON.stringify(before))
  // Nothing of today writes this; the database takes it, and cannot read it.
  await load('unreadable', '{"connections": [{"datapoints": [{"id": "\\u0000", "accessType": "WRITE"}]}]}')
  await load('empty', '{"connections": []}')
  await sql.raw(fleetDispatches).execute(db)

  const listed = async () =>
    (await sql`SELECT id, device_id, unit, min, max, tags FROM writable_datapoint ORDER BY id`.execute(db)).rows
  const valve = { id: 'valve', device_id: 'dev', unit: null, min: null, max: null, tags: [] }
  expect(await listed()).toEqual([
    { id: 'power', device_id: 'dev', unit: 'kW', min: -5, max: 5, tags: ['a', 'b'] },
    valve,
  ])
  await load('first', JSON.stringify(system(point('valve', { accessType: 'WRITE' }))))
  await load('second', JSON.stringify(system(point('lamp', { tags: ['light'] }))))
  expect(await listed()).toEqual([{ ...valve, id: 'lamp', tags: ['light'] }, valve])
  await sql`DELETE FROM technical_system`.execute(db)
  expect(await listed()).toEqual([])
})
