import { readFileSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Failure } from '@plantroom/contract/failure'
import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, onTestFinished, test } from 'vitest'
import { addTenant, asOperator, call, startTestCloud, type Tenant } from '../../../testing/cloud.ts'
import { createTestDatabase } from '../../../testing/database.ts'
import { connectAs, ended, joinAs, listenTo } from '../testing/devices.ts'
import { type Nats, prepareNats, withoutNats } from '../testing/nats.ts'
import { toSubjects } from './nats-users.ts'

const REFUSED = /Not authorized/

async function startCloud(nats: Nats, databaseUrl: string) {
  const brokerAccounts = { kind: 'file', path: nats.path } as const
  const cloud = await startTestCloud({ mqttUrl: nats.cloudUrl, brokerAccounts, databaseUrl })
  onTestFinished(() => cloud.stop())
  return cloud
}

/** The first cloud writes the file and fails, because the broker is not up yet. */
async function startBoth() {
  const nats = await prepareNats()
  const databaseUrl = await createTestDatabase()
  await expect(startCloud(nats, databaseUrl)).rejects.toThrow(Failure)
  await nats.start()
  return { nats, databaseUrl, cloud: await startCloud(nats, databaseUrl) }
}

const written = (nats: Nats) => readFileSync(nats.path, 'utf8')

/** What NATS says to a client of its own protocol after the login. */
async function answerOfNats(port: number, login: object): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  socket.write(`CONNECT ${JSON.stringify({ verbose: false, ...login })}\r\nPING\r\n`)
  for await (const text of socket) {
    const answer = /^(PONG|-ERR .*)/m.exec(String(text))?.[0]
    if (answer) return answer
  }
  return 'closed'
}

/** Waits until the file names exactly these devices, and lets NATS read it. */
async function reloadWith(nats: Nats, ...tenants: readonly Tenant[]) {
  await eventually(() => {
    const users = [...written(nats).matchAll(/"user":"(dev_\w+)"/g)].map(([, user]) => user)
    expect(users).toEqual(tenants.map(({ deviceId }) => deviceId).sort())
  })
  nats.reload()
}

test('a filter of MQTT becomes the subjects that it covers', () => {
  expect(toSubjects('plantroom/dev_1/reply/#')).toEqual(['plantroom.dev_1.reply', 'plantroom.dev_1.reply.>'])
  expect(toSubjects('plantroom/+/time/+')).toEqual(['plantroom.*.time.*'])
})

test('a file that cannot be written ends the start with the remedy', async () => {
  const brokerAccounts = { kind: 'file', path: '/dev/null/accounts.conf' } as const
  const started = startTestCloud({ mqttUrl: 'mqtt://cloud:password@127.0.0.1:1', brokerAccounts })
  await expect(started).rejects.toThrow(/^PLANTROOM_BROKER_ACCOUNTS: .* \(ENOTDIR\); create its folder/)
})

const UNIT = join(import.meta.dirname, '../../../../../../deploy/systemd/plantroom-nats-accounts.service')

test('the unit that copies the file reads it as the user who may have put a link there', () => {
  const lines = readFileSync(UNIT, 'utf8').split('\n')
  expect(lines).toContain('User=plantroom')
  const commands = lines.flatMap((line) => /^Exec\w+=(.*)$/.exec(line)?.[1] ?? [])
  expect(commands.filter((command) => command.includes('/var/lib/plantroom'))).toHaveLength(1)
  const asRoot = commands.filter((command) => command.startsWith('+'))
  expect(asRoot.filter((command) => /\/var\/lib\/plantroom|install|cp/.test(command))).toEqual([])
})

describe.skipIf(withoutNats)('the file of accounts for NATS', () => {
  test('lets each device use its own topics, until it is removed or gets another secret', async () => {
    const { nats, databaseUrl, cloud } = await startBoth()
    // Each process sees what the other one changes.
    const second = await startCloud(nats, databaseUrl)
    const [ours, other] = [await addTenant(cloud, 'Ours'), await addTenant(second, 'Other')]
    await reloadWith(nats, ours, other)
    const device = await eventually(() => joinAs(nats.url, ours.deviceId, { password: ours.deviceSecret }))
    const theirs = await eventually(() => joinAs(nats.url, other.deviceId, { password: other.deviceSecret }))
    const spy = await connectAs(nats.url, 'spy', { username: 'plantroom-cloud', password: 'a password' })
    await spy.subscribeAsync('plantroom/#')
    const [seen, received] = [listenTo(spy), listenTo(theirs)]

    const foreign = ['#', 'plantroom/#', 'plantroom/+/command/#', '$MQTT/#', '$MQTT/sub/#', '$SYS/#', '$JS/#', '$KV/#']
    const groups = ['$share/plantroom/plantroom/+/reports', `$share/g/plantroom/${other.deviceId}/reports`]
    for (const filter of [
      ...foreign,
      ...groups,
      `plantroom/${other.deviceId}/command/#`,
      `plantroom/${other.deviceId}/status`,
    ]) {
      await expect(device.subscribeAsync(filter), filter).rejects.toThrow()
    }
    const mine = topics.command(ours.deviceId, 'any', 'cloud', '1')
    const theirCommand = topics.command(other.deviceId, 'any', 'cloud', '1')
    for (const topic of [topics.status(other.deviceId), theirCommand, mine, topics.hello()]) {
      device.publish(topic, 'forged')
    }
    await device.publishAsync(topics.broadcast(ours.deviceId), 'true', { qos: 1 })
    await eventually(() => expect(seen).toContainEqual({ topic: topics.broadcast(ours.deviceId), text: 'true' }))
    expect([...seen, ...received].filter(({ text }) => text === 'forged')).toEqual([])

    const status = JSON.stringify({ online: true, link: 'link_1' })
    await device.publishAsync(topics.status(ours.deviceId), status, { qos: 1, retain: true })
    await eventually(async () => {
      const { body } = await asOperator(second, 'GET', `/api/orgs/${ours.orgId}/devices`)
      expect(body.devices).toMatchObject([{ online: true }])
    })

    const before = written(nats)
    const renewed = await asOperator(cloud, 'POST', `/api/orgs/${ours.orgId}/devices/${ours.deviceId}/credential`)
    await eventually(() => expect(written(nats)).not.toBe(before))
    nats.reload()
    await ended(device)
    await expect(connectAs(nats.url, ours.deviceId, { password: ours.deviceSecret })).rejects.toThrow(REFUSED)
    const password = String(renewed.body.secret)
    // NATS makes a client id wait for a second that comes back this soon.
    const again = await eventually(() => joinAs(nats.url, ours.deviceId, { password }))
    expect(theirs.connected).toBe(true)

    expect((await asOperator(second, 'DELETE', `/api/orgs/${ours.orgId}/devices/${ours.deviceId}`)).status).toBe(204)
    await reloadWith(nats, other)
    await ended(again)
    await expect(connectAs(nats.url, ours.deviceId, { password })).rejects.toThrow(REFUSED)
  })

  test('lets no account use another protocol than MQTT', async () => {
    const { nats, cloud } = await startBoth()
    const tenant = await addTenant(cloud, 'Ours')
    await reloadWith(nats, tenant)
    await eventually(() => joinAs(nats.url, tenant.deviceId, { password: tenant.deviceSecret }))
    for (const [user, pass] of [
      [tenant.deviceId, tenant.deviceSecret],
      ['plantroom-cloud', 'a password'],
    ]) {
      expect(await answerOfNats(nats.nativePort, { user, pass }), user).toMatch(/^-ERR 'Authorization Violation'/)
    }
  })

  test('is private, has no secrets in plain text, and stays as it is after a restart', async () => {
    const { nats, databaseUrl, cloud } = await startBoth()
    const tenant = await addTenant(cloud, 'Ours')
    await reloadWith(nats, tenant)
    expect(statSync(nats.path).mode & 0o777).toBe(0o600)
    expect(written(nats)).not.toContain(tenant.deviceSecret)
    expect(written(nats)).not.toContain('a password')
    const { ino } = statSync(nats.path)
    // While NATS reads the file, it may close a connection.
    await eventually(() => joinAs(nats.url, tenant.deviceId, { password: tenant.deviceSecret }))
    const again = await startCloud(nats, databaseUrl)
    expect(statSync(nats.path).ino).toBe(ino)

    // A device that was added while no file was written has no hash.
    const without = await startTestCloud({ databaseUrl })
    onTestFinished(() => without.stop())
    await addTenant(without, 'Before')
    const metrics = async () => String((await call(again, 'GET', '/metrics')).body.text)
    await eventually(async () => expect(await metrics()).toMatch(/^plantroom_devices_without_broker_account 1$/m))
  })
})
