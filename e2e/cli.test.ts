import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { OperationReply } from '@plantroom/client/client'
import type { ApiKey, Device, ShownTicket } from '@plantroom/contract/api'
import type { InvitedMember } from '@plantroom/contract/roles'
import type { TicketSummary } from '@plantroom/contract/tickets'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { partner } from './support/partner.ts'
import { plantroom, run } from './support/run.ts'
import { operatorShell, partnerShell } from './support/shell.ts'
import { type Stack, startStack } from './support/stack.ts'

let stack: Stack

beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack?.[Symbol.asyncDispose]())

/** Runs an operator's command with `--json` and returns its output. */
async function printed<Result>(...args: string[]): Promise<Result> {
  const { code, stdout, stderr } = await plantroom([...args, '--json'], operatorShell(stack))
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.trim().split('\n')).toHaveLength(1)
  return JSON.parse(stdout) as Result
}

/** Runs an operator's command and returns its text for people. */
async function shown(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await plantroom(args, operatorShell(stack))
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

describe('administration', () => {
  test('adds organizations and sites, and lists them', async () => {
    const organization = await printed<OperationReply<'addOrganization'>>('org', 'add', 'Second organization')
    expect(await printed<OperationReply<'listOrganizations'>['organizations']>('org', 'list')).toContainEqual(
      expect.objectContaining(organization),
    )
    expect(await shown('org', 'list')).toContain(`${organization.id}  Second organization\n`)

    const site = await printed<OperationReply<'addSite'>>('site', 'add', 'North building', '--org', organization.id)
    expect(site).toMatchObject({ id: expect.any(String), name: 'North building', timeZone: 'UTC' })
    expect(await shown('site', 'list', '--org', organization.id)).toContain(
      `${site.id}  North building  UTC        off\n`,
    )
  })

  test('adds a device, renews its secret and removes it', async () => {
    const device = await printed<OperationReply<'addDevice'>>('device', 'add', 'Spare', '--site', stack.siteId)
    const listed = await printed<Device[]>('device', 'list')
    expect(listed).toContainEqual(expect.objectContaining({ id: device.id, name: 'Spare', online: false }))
    expect(listed).toContainEqual(expect.objectContaining({ id: stack.deviceId, online: true }))

    const settings = await shown('device', 'credential', device.id)
    expect(settings).toMatch(
      new RegExp(`^MQTT_URL=mqtt://\\S+\nPLANTROOM_DEVICE_ID=${device.id}\nPLANTROOM_DEVICE_SECRET=\\S{40}\n$`),
    )
    expect(settings).not.toContain(device.secret)

    expect(await shown('device', 'remove', device.id)).toContain(device.id)
    expect(await shown('device', 'list')).not.toContain(device.id)
  })

  test('creates a key that works, lists its last use and revokes it immediately', async () => {
    const key = await printed<OperationReply<'createKey'>>(
      'key',
      'create',
      'Program',
      '--permission',
      'edge-device:read_write',
    )
    const { orgId, deviceId } = stack
    const holder = partner(() => ({ baseUrl: stack.cloud.ready.baseUrl, apiKey: key.apiKey, orgId, deviceId }))
    expect((await holder.values(stack.connectionId('Inverter'))).status).toBe(200)

    const listed = (await printed<ApiKey[]>('key', 'list')).find(({ id }) => id === key.id)
    expect(listed).toMatchObject({ name: 'Program', lastUsedAt: expect.any(String), revokedAt: null })
    expect(JSON.stringify(listed)).not.toContain(key.apiKey.split('_')[2])

    const rotated = await printed<OperationReply<'rotateKey'>>('key', 'rotate', key.id, '--overlap', '3600')
    expect(rotated).toMatchObject({ id: key.id, previousSecretUntil: expect.any(String) })
    expect(rotated.apiKey).not.toBe(key.apiKey)
    expect((await holder.values(stack.connectionId('Inverter'))).status).toBe(200)

    expect(await shown('key', 'revoke', key.id, '--cancel-overrides')).toContain('revoked; overrides cancelled: 0')
    expect((await holder.values(stack.connectionId('Inverter'))).status).toBe(401)
    expect(await shown('key', 'list')).toMatch(new RegExp(`^${key.id}.*revoked`, 'm'))
  })

  test('adds a person, whose password is shown once', async () => {
    const user = await printed<object>('user', 'add', 'mari@example.ee')
    expect(user).toEqual({
      id: expect.any(String),
      email: 'mari@example.ee',
      password: expect.stringMatching(/^.{16,}$/),
    })
    const { code, stdout, stderr } = await plantroom(['user', 'add', 'Mari@Example.ee'], operatorShell(stack))
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^.*already.*\n$/) })
  })
})

describe('people', () => {
  test('are invited with roles by the names of sites, changed and removed', async () => {
    const invited = await printed<InvitedMember>('member', 'invite', 'jaan@example.ee', '--viewer', 'Test site')
    const sites = [{ siteId: stack.siteId, role: 'viewer' }]
    expect(invited).toMatchObject({ email: 'jaan@example.ee', role: null, sites, invited: true, mailed: false })
    expect(invited.link).toMatch(/^http/)
    expect(await shown('member', 'role', 'JAAN@example.ee', '--manager', 'Test site')).toBe(
      `jaan@example.ee: manager of ${stack.siteId}\n`,
    )
    expect(await shown('member', 'list')).toMatch(/^jaan@example\.ee +manager of Test site +invited +never +usr_/m)
    await shown('member', 'remove', invited.userId)
    const again = await plantroom(['member', 'remove', 'jaan@example.e', '--json'], operatorShell(stack))
    expect(again).toMatchObject({ code: 2, stdout: '' })
    expect(JSON.parse(again.stderr)).toMatchObject({ error: { code: 'USAGE', status: null } })
  })
})

describe('maintenance requests', () => {
  test('are added, listed, shown and closed, by number and by external id', async () => {
    const text = 'Cold\n\u001b[31mradiator'
    const added = await printed<ShownTicket>('request', 'add', 'Radiator', '--description', text, '--tag', 'heating')
    expect(added).toMatchObject({ number: expect.any(Number), title: 'Radiator', state: 'new', tags: ['heating'] })
    const { number, externalId } = added
    expect(await shown('request', 'comment', externalId, 'On our way')).toBe(
      `comment added to #${number}; not mailed\n`,
    )
    expect(await shown('request', 'close', `#${number}`, '--resolution', 'Bled it')).toContain(': closed')
    const page = await shown('request', 'show', String(number))
    expect(page).toContain(`#${number} Radiator\nstate         closed\n`)
    expect(page).toContain('\n\n  Cold\n  \\u001b[31mradiator\n\n  Resolution: Bled it\n')
    expect(page).toMatch(/\n.*, 20\S+Z:\n {2}On our way\n$/)
    const open = await printed<TicketSummary[]>('request', 'list', '--open', '--tag', 'heating')
    expect(open).toEqual([])
  })

  test('of another organization stay closed to a key', async () => {
    const { id: orgId } = await printed<{ id: string }>('org', 'add', 'Stranger')
    const settings = { ...partnerShell(stack), PLANTROOM_ORG: orgId, PLANTROOM_SITE: stack.siteId }
    const { code, stdout, stderr } = await plantroom(['request', 'list', '--json'], settings)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    const service = stack.cloud.ready.baseUrl
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'FORBIDDEN', status: 403, service } })
  })
})

describe('a profile', () => {
  const profile = (secret: string, args: string) => {
    const config = join(stack.folder, 'config')
    const settings = { PLANTROOM_DATA: join(stack.folder, 'none'), XDG_CONFIG_HOME: config }
    const line = `printf %s '${secret}' | ./plantroom ${args}`
    return run('bash', ['-c', line], settings)
  }

  test('lets a partner read values and dispatch by name, without settings, and is private', async () => {
    const { apiKey, orgId, deviceId } = stack
    const url = stack.cloud.ready.baseUrl
    const add = `profile add north --url ${url}/ --org ${orgId} --device ${deviceId} --json`
    const added = await profile(apiKey, add)
    expect({ code: added.code, stderr: added.stderr }).toEqual({ code: 0, stderr: '' })
    const secrets = ['API key']
    expect(JSON.parse(added.stdout)).toMatchObject({ name: 'north', url, org: orgId, secrets, current: false })
    const file = join(stack.folder, 'config/plantroom/profiles/north.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)

    const { stdout } = await profile('', 'dr values Inverter --profile north')
    expect(stdout).toMatch(/ Inverter at .*: connected\n.*\n\S+ +Charge power +5 /)
    const outside = await profile('', "dr override 'Charge power' 60 --for 1m --profile north")
    expect(outside).toMatchObject({ code: 1, stdout: '' })
    expect(outside.stderr).toContain('60 is outside -50 to 50, the envelope of Charge power')
  })

  test('with a secret that the service refuses is not kept', async () => {
    const url = stack.cloud.ready.baseUrl
    const refused = await profile('plr_wrong', `profile add wrong --url ${url} --org ${stack.orgId}`)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(new RegExp(`\\(401 UNAUTHENTICATED from ${url}\\)\n$`))
    expect(existsSync(join(stack.folder, 'config/plantroom/profiles/wrong.json'))).toBe(false)
  })
})

describe('a failure', () => {
  test.each([
    ['no server', { PLANTROOM_URL: 'http://127.0.0.1:9' }, ['org', 'list'], /cannot be reached/],
    ['a wrong admin token', { PLANTROOM_ADMIN_TOKEN: 'pla_wrong' }, ['org', 'list'], /401 UNAUTHENTICATED/],
    ['an unknown organization', { PLANTROOM_ORG: 'org_unknown' }, ['site', 'add', 'X'], /404 NOT_FOUND/],
    ['a wrong API key', { PLANTROOM_API_KEY: 'plr_wrong' }, ['dr', 'values', 'con_x'], /401 UNAUTHENTICATED/],
    ['an unknown connection', {}, ['dr', 'values', 'con_x'], /con_x .*499 DEVICE_REJECTED/],
  ])('is exit 1 and one line on stderr: %s', async (_what, settings, args, line) => {
    const shell = { ...operatorShell(stack), ...partnerShell(stack), ...settings }
    const { code, stdout, stderr } = await plantroom(args, shell)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^plantroom [a-z]+: .+\n$/)
    expect(stderr).toMatch(line)
  })

  test.concurrent.each([
    [['frobnicate']],
    [['org']],
    [['org', 'add']],
    [['site', 'list', 'too', 'many']],
    [['device', 'add', 'No site']],
    [['key', 'create', 'No permission']],
    [['key', 'rotate', 'x', '--overlap', '-1']],
    [['key', 'rotate', 'x', '--overlap', 'soon']],
    [['user', 'remove', 'x@example.ee']],
    [['commission', 'dev_only']],
    [['commission', 'dev', 'file', '--frobnicate']],
    [['dr', 'values', 'Invertr']],
    [['dr', 'watch', 'con_x', '--count', 'two']],
    [['demo', 'too many']],
    [['cloud', '--port']],
    [['edge', 'extra']],
    [['simulate', 'extra']],
  ])('is exit 2 for wrong usage, with a word about --help: %j', async (args) => {
    const { code, stdout, stderr } = await plantroom(args, { ...operatorShell(stack), ...partnerShell(stack) })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^plantroom.*: .+--help\)?\n$/)
  })
})

describe('--help', () => {
  const parts = ['demo', 'cloud', 'worker', 'edge', 'simulate']
  const commands = [...parts, 'org', 'site', 'device', 'key', 'user', 'commission', 'dr', 'package']
  const tools = ['test', 'check', 'bench', 'campaign']

  // The others are tested beside the code, without a process each.
  test.concurrent.each([...parts, 'dr', ...tools])('prints the usage of %s and exits with 0', async (command) => {
    const { code, stdout, stderr } = await plantroom([command, '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`plantroom ${command}`)
  })

  test('lists every command, and is printed without a command, too', async () => {
    const help = await plantroom(['--help'])
    expect(help).toMatchObject({ code: 0, stderr: '' })
    for (const command of [...commands, ...tools]) expect(help.stdout).toMatch(new RegExp(`\\b${command}\\b`))
    expect((await plantroom([])).code).toBe(2)
  })
})

describe('plantroom dr', () => {
  test('exports the datapoints', async () => {
    const connectionId = stack.connectionId('Inverter')
    const json = await plantroom(['dr', 'points', connectionId, '--json'], partnerShell(stack))
    const { body } = await stack.partner.datapoints(connectionId)
    expect(JSON.parse(json.stdout)).toEqual({ connectionId, datapoints: body.data.datapoints })

    const { code, stdout } = await plantroom(['dr', 'points', connectionId], partnerShell(stack))
    expect(code).toBe(0)
    expect(stdout.trim().split('\n')).toHaveLength(11)
    expect(stdout).toMatch(
      new RegExp(`^${stack.datapointId('Charge power')} +Charge power +READ_WRITE +-50 to 50 `, 'm'),
    )
  })

  test('reads the values', async () => {
    const connectionId = stack.connectionId('Inverter')
    const { code, stdout } = await plantroom(['dr', 'values', connectionId, '--json'], partnerShell(stack))
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ connectionId, status: 1, error: null })
    const people = await plantroom(['dr', 'values', connectionId], partnerShell(stack))
    expect(people.stdout).toMatch(new RegExp(`^${connectionId} Inverter at .*: connected$`, 'm'))
    expect(people.stdout).toMatch(new RegExp(`^${stack.datapointId('Charge power')} +Charge power +5 `, 'm'))
  })

  test('watches them', async () => {
    const watch = ['dr', 'watch', stack.connectionId('Grid meter'), '--every', '0.3', '--count', '2']
    const { code, stdout } = await plantroom([...watch, '--json'], partnerShell(stack))
    const snapshots = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { timestamp: string })
    expect({ code, count: snapshots.length }).toEqual({ code: 0, count: 2 })
    expect(snapshots[1]?.timestamp).not.toBe(snapshots[0]?.timestamp)
    const people = await plantroom(watch, partnerShell(stack))
    expect(people.stdout.match(/: connected$/gm)).toHaveLength(2)
  })

  test('exits silently when its output is closed', async () => {
    const line = `./plantroom dr watch ${stack.connectionId('Grid meter')} --every 0.1 | head -n 1`
    const { stdout, stderr } = await run('bash', ['-c', line], partnerShell(stack))
    expect({ lines: stdout.trim().split('\n').length, stderr }).toEqual({ lines: 1, stderr: '' })
  })
})
