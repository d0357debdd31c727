import { createLog } from '@plantroom/base/log'
import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { type Kysely, sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { addTenant, asOperator, call, startTestCloud, type Tenant } from '../../../testing/cloud.ts'
import { createTestDatabase } from '../../../testing/database.ts'
import { openDatabase } from '../../db/database.ts'
import type { Schema } from '../../db/schema.ts'
import { connectAs, ended, joinAs, listenTo } from '../testing/devices.ts'
import { type DynamicMosquitto, startDynamicMosquitto, withoutDynamicSecurity } from '../testing/dynamic-security.ts'
import { startMosquitto } from '../testing/mosquitto.ts'
import { connectDynamicSecurity } from './dynamic-security.ts'
import { openMosquittoAccounts } from './mosquitto-accounts.ts'

const NOT_AUTHORIZED = /Not authorized|Bad username or password/
const log = createLog('test', 'silent')

async function startCloud(broker: DynamicMosquitto, databaseUrl?: string) {
  const cloud = await startTestCloud({
    mqttUrl: broker.cloudUrl,
    brokerAccounts: { kind: 'mosquitto' },
    ...(databaseUrl && { databaseUrl }),
  })
  onTestFinished(() => cloud.stop())
  return cloud
}

type TestCloud = Awaited<ReturnType<typeof startCloud>>

const openDb = (cloud: TestCloud) => openTestDb(cloud.config.databaseUrl ?? '')

function openTestDb(connectionString: string): Kysely<Schema> {
  const db = openDatabase({ connectionString }, log)
  onTestFinished(() => db.destroy())
  return db
}

async function connectOperator(broker: DynamicMosquitto) {
  const clock = createManualClock()
  const operator = await connectDynamicSecurity({
    url: broker.cloudUrl,
    clientId: 'operator',
    reconnected() {},
    clock,
    log,
  })
  onTestFinished(() => operator.close())
  return operator
}

const devicePath = ({ orgId, deviceId }: Tenant) => `/api/orgs/${orgId}/devices/${deviceId}`

const metric = async (cloud: TestCloud) => {
  const { body } = await call(cloud, 'GET', '/metrics')
  return /^plantroom_devices_without_broker_account (\S+)$/m.exec(String(body.text))?.[1]
}

describe.skipIf(withoutDynamicSecurity)('an account of a device at Mosquitto', () => {
  test('opens the topics of this device, and no others', async () => {
    const broker = await startDynamicMosquitto()
    // Even where the operator lets other accounts do everything.
    const operator = await connectOperator(broker)
    const acls = ['publishClientSend', 'publishClientReceive', 'subscribe'].map((acltype) => ({ acltype, allow: true }))
    await operator.ask([{ command: 'setDefaultACLAccess', acls }])
    expect(broker.control('getDefaultACLAccess')).not.toContain('deny')
    const cloud = await startCloud(broker)
    const [ours, other] = [await addTenant(cloud, 'Ours'), await addTenant(cloud, 'Other')]
    const device = await joinAs(broker.url, ours.deviceId, { password: ours.deviceSecret })
    const theirs = await joinAs(broker.url, other.deviceId, { password: other.deviceSecret })
    const spy = await connectAs(broker.cloudUrl, 'spy', {
      username: 'plantroom-cloud',
      password: 'a-password-of-the-cloud',
    })
    await spy.subscribeAsync(['#', '$share/cloud/plantroom/+/reports'])
    const [seen, received] = [listenTo(spy), listenTo(theirs)]

    const foreign = ['#', 'plantroom/#', 'plantroom/+/command/#', `plantroom/${other.deviceId}/reply/#`, '$SYS/#']
    for (const filter of [...foreign, `$share/g/plantroom/${other.deviceId}/reports`, '$CONTROL/#', '+/+/status']) {
      await expect(device.subscribeAsync(filter), filter).rejects.toThrow()
    }
    const { deviceId } = other
    const forged = [topics.status(deviceId), topics.reports(deviceId), topics.command(deviceId, 'any', 'cloud', '1')]
    const reserved = [
      topics.hello(),
      topics.command(ours.deviceId, 'any', 'cloud', '1'),
      topics.time(ours.deviceId, '1'),
    ]
    const control = JSON.stringify({ commands: [{ command: 'deleteClient', username: deviceId }] })
    for (const topic of [...forged, ...reserved]) await device.publishAsync(topic, 'forged', { qos: 1 })
    await device.publishAsync('$CONTROL/dynamic-security/v1', control, { qos: 1 })
    await device.publishAsync(topics.broadcast(ours.deviceId), 'true', { qos: 1 })
    await eventually(() => expect(seen).toContainEqual({ topic: topics.broadcast(ours.deviceId), text: 'true' }))
    expect([...seen, ...received].filter(({ text }) => text === 'forged')).toEqual([])
    expect(theirs.connected).toBe(true)

    // With the client id of the other device, it would take over that connection.
    const asOther = { password: ours.deviceSecret, clientId: deviceId }
    await expect(connectAs(broker.url, ours.deviceId, asOther)).rejects.toThrow(NOT_AUTHORIZED)
    expect(theirs.connected).toBe(true)
  })

  test('ends with the device: it is disconnected and refused', async () => {
    const broker = await startDynamicMosquitto()
    const cloud = await startCloud(broker)
    const [ours, other] = [await addTenant(cloud, 'Ours'), await addTenant(cloud, 'Other')]
    const device = await joinAs(broker.url, ours.deviceId, { password: ours.deviceSecret })
    const status = JSON.stringify({ online: true, link: 'link_1' })
    await device.publishAsync(topics.status(ours.deviceId), status, { qos: 1, retain: true })
    await eventually(async () => {
      const { body } = await asOperator(cloud, 'GET', `/api/orgs/${ours.orgId}/devices`)
      expect(body.devices).toMatchObject([{ id: ours.deviceId, online: true }])
    })
    // What is refused leaves no account behind.
    const twice = { name: 'Device', siteId: ours.siteId }
    expect((await asOperator(cloud, 'POST', `/api/orgs/${ours.orgId}/devices`, twice)).status).toBe(409)
    const elsewhere = { name: 'Spy', siteId: ours.siteId }
    expect((await asOperator(cloud, 'POST', `/api/orgs/${other.orgId}/devices`, elsewhere)).status).toBe(400)
    expect(broker.accounts()).toEqual(['plantroom-cloud', ours.deviceId, other.deviceId].sort())
    // Another organization cannot cut it off.
    for (const [method, path] of [
      ['DELETE', ''],
      ['POST', '/credential'],
    ] as const) {
      const foreign = await asOperator(cloud, method, `/api/orgs/${other.orgId}/devices/${ours.deviceId}${path}`)
      expect(foreign.status).toBe(404)
    }
    expect(device.connected).toBe(true)
    expect((await asOperator(cloud, 'DELETE', devicePath(ours))).status).toBe(204)
    await ended(device)
    await expect(connectAs(broker.url, ours.deviceId, { password: ours.deviceSecret })).rejects.toThrow(NOT_AUTHORIZED)
    expect(broker.accounts()).toEqual(['plantroom-cloud', other.deviceId].sort())
    expect(broker.control('listRoles', '0', '0')).not.toContain(ours.deviceId)
  })

  test('changes with the credential', async () => {
    const broker = await startDynamicMosquitto()
    const cloud = await startCloud(broker)
    const tenant = await addTenant(cloud, 'Ours')
    const device = await joinAs(broker.url, tenant.deviceId, { password: tenant.deviceSecret })
    const { body } = await asOperator(cloud, 'POST', `${devicePath(tenant)}/credential`)
    await ended(device)
    await expect(connectAs(broker.url, tenant.deviceId, { password: tenant.deviceSecret })).rejects.toThrow(
      NOT_AUTHORIZED,
    )
    await joinAs(broker.url, tenant.deviceId, { password: String(body.secret) })
  })

  test('is made for a device from before by renewing its credential; the metric counts such devices', async () => {
    const broker = await startDynamicMosquitto()
    const cloud = await startCloud(broker)
    const tenant = await addTenant(cloud, 'Ours')
    broker.control('deleteClient', tenant.deviceId)
    // A cloud that starts finds out.
    const next = await startCloud(broker, cloud.config.databaseUrl)
    await eventually(async () => expect(await metric(next)).toBe('1'))
    const { body } = await asOperator(next, 'POST', `${devicePath(tenant)}/credential`)
    await joinAs(broker.url, tenant.deviceId, { password: String(body.secret) })
  })
})

describe.skipIf(withoutDynamicSecurity)('a change of a device whose account cannot follow', () => {
  test('is answered with 503 and undone while the broker is down', async () => {
    const broker = await startDynamicMosquitto()
    const cloud = await startCloud(broker)
    const tenant = await addTenant(cloud, 'Ours')
    await broker.kill()
    const add = { name: 'Second', siteId: tenant.siteId }
    const [added, renewed, removed] = await Promise.all([
      asOperator(cloud, 'POST', `/api/orgs/${tenant.orgId}/devices`, add),
      asOperator(cloud, 'POST', `${devicePath(tenant)}/credential`),
      asOperator(cloud, 'DELETE', devicePath(tenant)),
    ])
    for (const { status, body, headers } of [added, renewed, removed]) {
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'UNAVAILABLE', '10'])
      expect(body.message).toMatch(/broker/)
    }
    const { body } = await asOperator(cloud, 'GET', `/api/orgs/${tenant.orgId}/devices`)
    expect(body.devices).toMatchObject([{ id: tenant.deviceId }])
    const { body: activity } = await asOperator(cloud, 'GET', `/api/orgs/${tenant.orgId}/activity`)
    const actions = (activity.entries as { action: string }[]).map(({ action }) => action)
    expect(actions.filter((action) => action.startsWith('device-'))).toEqual(['device-added'])

    await broker.start()
    // The secret is still the one that the device has.
    await eventually(() => joinAs(broker.url, tenant.deviceId, { password: tenant.deviceSecret }))
  })

  test('leaves an account that is deleted later, when the database does not commit', async () => {
    const broker = await startDynamicMosquitto()
    const cloud = await startCloud(broker)
    const tenant = await addTenant(cloud, 'Ours')
    const db = openDb(cloud)
    await sql.raw(REFUSED_AT_COMMIT).execute(db)
    const add = { name: 'Refused at commit', siteId: tenant.siteId }
    const { status } = await asOperator(cloud, 'POST', `/api/orgs/${tenant.orgId}/devices`, add)
    expect(status).toBe(500)
    expect(broker.accounts()).toHaveLength(3)
    await startCloud(broker, cloud.config.databaseUrl)
    await eventually(() => expect(broker.accounts()).toEqual(['plantroom-cloud', tenant.deviceId].sort()))
    await joinAs(broker.url, tenant.deviceId, { password: tenant.deviceSecret })
  })
})

/** Fails when the transaction commits, after everything in it succeeded. */
const REFUSED_AT_COMMIT = `
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused at commit'; END $$;
CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON device DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.name = 'Refused at commit') EXECUTE FUNCTION refuse();`

describe.skipIf(withoutDynamicSecurity)('the comparison of accounts with devices', () => {
  async function open(broker: DynamicMosquitto, db: Kysely<Schema>, cloudId: string) {
    const deps = { url: broker.cloudUrl, cloudId, db, clock: createManualClock(), log, onSecretChange: () => {} }
    const accounts = await openMosquittoAccounts(deps)
    onTestFinished(() => accounts.close())
    await accounts.compare()
    return accounts
  }

  test('waits for devices that another process is just adding', async () => {
    const broker = await startDynamicMosquitto()
    const db = openTestDb(await createTestDatabase())
    const [one, two] = [await open(broker, db, 'cloud_1'), await open(broker, db, 'cloud_2')]
    await sql`INSERT INTO organization (id, name) VALUES ('org', 'Org')`.execute(db)
    await sql`INSERT INTO site (id, organization_id, name) VALUES ('site', 'org', 'Site')`.execute(db)
    let comparing: Promise<void> | undefined
    await db.transaction().execute(async (tx) => {
      await sql`INSERT INTO device (id, organization_id, site_id, name, secret_hash)
        VALUES ('dev_new', 'org', 'site', 'New', sha256('x'))`.execute(tx)
      await one.put(tx, 'dev_new', 'a secret')
      comparing = two.compare()
      await eventually(async () => {
        const { rows } = await sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(db)
        expect(rows).toHaveLength(1)
      })
    })
    await comparing
    expect(broker.accounts()).toContain('dev_new')
    await connectAs(broker.url, 'dev_new', { password: 'a secret' })
    expect(two.missing).toBe(0)
  })

  test('leaves accounts of other services and of people alone, and pages through long lists', async () => {
    const broker = await startDynamicMosquitto()
    const db = openTestDb(await createTestDatabase())
    const accounts = await open(broker, db, 'cloud_1')
    const { id: mark } = await db.selectFrom('broker_service').select('id').executeTakeFirstOrThrow()
    const control = await connectOperator(broker)
    async function create(usernames: readonly string[], textdescription?: string) {
      for (let i = 0; i < usernames.length; i += 50) {
        await control.ask(
          usernames.slice(i, i + 50).map((username) => ({
            ...{ command: 'createClient', username, password: 'x', textdescription },
          })),
        )
      }
    }
    const others = [...Array(230).keys()].map((n) => `dev_other_${n}`)
    await create(others, 'plantroom of another service')
    await create(['dev_by_hand'])
    await create(['person', 'dev_leftover'], mark)
    await accounts.compare()
    expect(new Set(broker.accounts())).toEqual(new Set(['plantroom-cloud', 'person', 'dev_by_hand', ...others]))

    // As many as this cannot be the leftovers of undone changes.
    const many = [...Array(101).keys()].map((n) => `dev_many_${n}`)
    await create(many, mark)
    await accounts.compare()
    expect(broker.accounts()).toEqual(expect.arrayContaining(many))
  })

  test('gives up on a broker that hangs, and goes on when it answers again', async () => {
    const broker = await startDynamicMosquitto()
    const db = openTestDb(await createTestDatabase())
    const clock = createManualClock()
    const deps = { url: broker.cloudUrl, cloudId: 'cloud_1', db, clock, log, onSecretChange: () => {} }
    const accounts = await openMosquittoAccounts(deps)
    onTestFinished(() => accounts.close())
    await accounts.compare()
    expect(accounts.missing).toBe(0)
    broker.freeze()
    const asked = expect(accounts.remove(db, 'dev_any')).rejects.toThrow(/did not answer within 5 s.*send the request/)
    await eventually(() => expect(clock.waiting()).toContain(5_000))
    clock.advanceNow(5_000)
    await asked
    broker.resume()
    await eventually(() => expect(accounts.remove(db, 'dev_any')).rejects.toThrow(/not connected/))
    clock.advanceNow(60_000)
    await eventually(() => accounts.remove(db, 'dev_any'))
  })

  test('does not start at a broker without the plugin, and says what to do', async () => {
    const { cloudUrl: url } = await startMosquitto()
    const clock = createManualClock()
    const db = openTestDb(await createTestDatabase())
    const opened = openMosquittoAccounts({ url, cloudId: 'cloud_1', db, clock, log })
    const refused = expect(opened).rejects.toThrow(/load the dynamic security plugin and give this user the role admin/)
    await eventually(() => expect(clock.waiting()).toContain(5_000))
    clock.advanceNow(5_000)
    await refused
  })
})
