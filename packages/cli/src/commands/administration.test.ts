import { sendJson, startServer } from '@plantroom/client/testing/server'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { run } from '../run.ts'

const AT = '2030-01-01T12:00:00.000Z'
const SITE = { id: 'site_1', name: 'Tower', timeZone: 'UTC', maintenanceRequests: true, tags: ['north'], createdAt: AT }
const DEVICE = { id: 'dev_1', name: 'Boiler', siteId: 'site_1', online: true, createdAt: AT, software: null }
const member = (userId: string, email: string, lastSeenAt: string | null) => ({
  ...{ userId, email, role: 'admin', allSites: null, tags: [], sites: [], lastSeenAt, invited: lastSeenAt === null },
})
const CREDENTIAL = {
  id: 'dev_2',
  name: 'New',
  siteId: 'site_1',
  secret: 'hush',
  brokerUrl: 'mqtts://broker.example:8883',
}
const LOSS = 'removing the site "Tower" loses 2 maintenance requests'

let out: string[]
let err: string[]
let asked: string[]
let held: object[]
let overrides: object[]
beforeEach(async () => {
  out = []
  err = []
  asked = []
  held = []
  overrides = []
  vi.spyOn(console, 'log').mockImplementation((line) => void out.push(String(line)))
  vi.spyOn(console, 'error').mockImplementation((line) => void err.push(String(line)))
  vi.stubEnv('XDG_CONFIG_HOME', temporaryFolder())
  vi.stubEnv('PLANTROOM_DATA', temporaryFolder())
  vi.stubEnv('PLANTROOM_ADMIN_TOKEN', 'token')
  const { url } = await startServer(({ method, path = '' }, response) => {
    if (method !== 'GET') asked.push(`${method} ${path}`)
    if (path.endsWith('/live?fresh=true')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const state = { at: AT, clockSuspect: false, connections: [], holds: held, overrides }
      return void response.end(`event: state\ndata: ${JSON.stringify(state)}\n\n`)
    }
    const [status, body] = answer(method ?? '', path)
    sendJson(response, status, body)
  })
  vi.stubEnv('PLANTROOM_URL', url)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

function answer(method: string, path: string): [status: number, body: object] {
  const isConfirmed = path.endsWith('confirm=true')
  if (method === 'DELETE' && !isConfirmed) return [409, { message: LOSS, code: 'CONFIRMATION_REQUIRED' }]
  if (method === 'DELETE') return [200, {}]
  if (method === 'POST') return [201, CREDENTIAL]
  if (method === 'PATCH') return [200, { id: path.split('/').at(-1), name: 'After' }]
  if (path === '/api/orgs')
    return [
      200,
      {
        organizations: [
          { id: 'org_1', name: 'Ours', createdAt: AT },
          { id: 'org_2', name: 'Theirs', createdAt: AT },
        ],
      },
    ]
  if (path.endsWith('/sites')) return [200, { sites: [SITE] }]
  if (path.includes('/technical-systems')) {
    const connections = [aConnection({ datapoints: [aDatapoint({ id: 'dp_1' }), aDatapoint({ id: 'dp_2' })] })]
    return [200, { technicalSystems: [{ ...aSystem('sys_1', connections), name: 'Heating' }] }]
  }
  if (path.includes('/devices')) return [200, { devices: [DEVICE], nextCursor: null }]
  if (path.endsWith('org_1/members')) {
    return [200, { members: [member('usr_1', 'both@example.com', AT), member('usr_2', 'new@example.com', null)] }]
  }
  if (path.endsWith('/members')) return [200, { members: [member('usr_1', 'both@example.com', null)] }]
  if (path.endsWith('/api-keys')) return [200, { keys: [{ state: 'active' }, { state: 'revoked' }] }]
  return [200, { id: 'org_1', name: 'Ours', requireSecondFactor: false, measurementDays: 30 }]
}

const printed = () => JSON.parse(out.join(''))
const inOurs = (...args: string[]) => run([...args, '--org', 'Ours'])

describe('plantroom device', () => {
  test('lists the names of sites', async () => {
    expect(await inOurs('device', 'list')).toBe(0)
    expect(out.join()).toMatch(/ID +NAME +SITE.*\ndev_1 +Boiler +Tower +online/)
    out.length = 0
    await inOurs('device', 'list', '--json')
    expect(printed()).toEqual([{ ...DEVICE, siteName: 'Tower' }])
  })

  test.each([
    ['add', 'New', '--site', 'Tower'],
    ['credential', 'Boiler'],
  ])('%s prints all that an installer enters on the controller', async (...args) => {
    expect(await inOurs('device', ...args)).toBe(0)
    expect(out.join().split('\n')).toEqual([
      'MQTT_URL=mqtts://broker.example:8883',
      'PLANTROOM_DEVICE_ID=dev_2',
      'PLANTROOM_DEVICE_SECRET=hush',
    ])
  })

  test('shows one with what is commissioned on it', async () => {
    expect(await inOurs('device', 'show', 'Boiler')).toBe(0)
    expect(out.join()).toMatch(/^ID +dev_1\nName +Boiler\nSite +Tower \(site_1\)\nState +online\n/)
    expect(out.join()).toMatch(/\nCommissioned +Heating \(connections: 1, datapoints: 2\)$/)
    expect(await inOurs('device', 'show', 'Boiller')).toBe(2)
    expect(err[0]).toContain('there is no device Boiller (did you mean Boiler?)')
  })

  test('renames one', async () => {
    expect(await inOurs('device', 'rename', 'Boiler', 'After')).toBe(0)
    expect([asked, out]).toEqual([['PATCH /api/orgs/org_1/devices/dev_1'], ['device dev_1: After']])
  })

  test('does not remove one that holds something, unless the person insists', async () => {
    expect(await inOurs('device', 'remove', 'Boiler')).toBe(1)
    expect(err[0]).toContain(`plantroom device: ${LOSS}; nothing was removed: repeat with --yes to accept this (409`)
    expect(await inOurs('device', 'remove', 'Boiler', '--yes')).toBe(0)
    expect([asked.at(-1), out.at(-1)]).toEqual([
      'DELETE /api/orgs/org_1/devices/dev_1?confirm=true',
      'device dev_1 removed',
    ])
  })
})

test('plantroom hold list shows what all devices hold, or one', async () => {
  held = [{ datapointId: 'dp_1', state: 'holding', by: 'demand-response', value: 5, until: AT }]
  const listed = { deviceId: 'dev_1', device: 'Boiler', live: true, ageSeconds: 0, holds: [{ datapointId: 'dp_1' }] }
  expect(await inOurs('hold', 'list', '--json')).toBe(0)
  expect(printed()).toMatchObject([listed])
  out.length = 0
  expect(await inOurs('hold', 'list', 'Boiler', '--json')).toBe(0)
  expect(printed()).toMatchObject(listed)
  out.length = 0
  await inOurs('hold', 'list')
  expect(out.join()).toMatch(/^DEVICE +ID.*\nBoiler +dp_1 /)
})

describe('plantroom site', () => {
  test('names what a removal loses, and removes with --yes', async () => {
    expect(await inOurs('site', 'remove', 'Tower')).toBe(1)
    expect(err[0]).toContain(`plantroom site: ${LOSS}; nothing was removed: repeat with --yes to accept this (409`)
    expect(await inOurs('site', 'remove', 'Tower', '--yes', '--json')).toBe(0)
    expect(printed()).toEqual({ id: 'site_1', removed: true })
    expect(asked.at(-1)).toBe('DELETE /api/orgs/org_1/sites/site_1?confirm=true')
  })

  test('shows and renames one', async () => {
    expect(await inOurs('site', 'show', 'Tower', '--json')).toBe(0)
    expect(printed()).toEqual({ ...SITE, devices: [{ id: 'dev_1', name: 'Boiler', online: true }] })
    expect(await inOurs('site', 'rename', 'Tower', 'After')).toBe(0)
    expect(out.at(-1)).toBe('site site_1: After')
  })
})

describe('plantroom org', () => {
  test('shows one with how much it has', async () => {
    expect(await run(['org', 'show', 'Ours', '--json'])).toBe(0)
    const settings = { id: 'org_1', name: 'Ours', requireSecondFactor: false, measurementDays: 30 }
    expect(printed()).toEqual({ ...settings, sites: 1, devices: 1, members: 2, keys: 1 })
    out.length = 0
    await run(['org', 'show', 'Ours'])
    expect(out.join()).toMatch(/Measurements +kept 30 days\nSites +Tower\nDevices +1\nMembers +2\nAPI keys +1$/)
  })

  test('renames and removes one', async () => {
    expect(await run(['org', 'rename', 'Ours', 'After'])).toBe(0)
    expect(await run(['org', 'remove', 'Ours', '--yes'])).toBe(0)
    expect(asked).toEqual(['PATCH /api/orgs/org_1', 'DELETE /api/orgs/org_1?confirm=true'])
    expect(out).toEqual(['organization org_1: After', 'organization org_1 removed'])
  })
})

describe('plantroom user', () => {
  test('lists a person of several organizations once', async () => {
    expect(await run(['user', 'list', '--json'])).toBe(0)
    const both = {
      ...{ id: 'usr_1', email: 'both@example.com', lastSeenAt: AT },
      organizations: [
        { id: 'org_1', name: 'Ours', role: 'admin', invited: false },
        { id: 'org_2', name: 'Theirs', role: 'admin', invited: true },
      ],
    }
    expect(printed()).toMatchObject([both, { email: 'new@example.com' }])
    out.length = 0
    expect(await run(['user', 'show', 'BOTH@example.com'])).toBe(0)
    expect(out.join()).toMatch(/\nboth@example\.com +Ours \(admin\), Theirs \(invited\) +2030\S+ +usr_1$/)
  })

  test('lists those of one organization on request, and suggests a person', async () => {
    await run(['user', 'list', '--org', 'Theirs', '--json'])
    expect(printed()).toHaveLength(1)
    expect(await run(['user', 'show', 'booth@example.com'])).toBe(2)
    expect(err[0]).toContain('there is no user booth@example.com (did you mean both@example.com')
  })
})

test.each([
  ['user', 'show'],
  ['member', 'remove'],
])('plantroom %s %s completes the addresses of people', async (...words) => {
  vi.stubEnv('PLANTROOM_ORG', 'org_1')
  expect(await run(['__complete', 'words', ...words, ''])).toBe(0)
  expect(out.join('\n')).toContain('both@example.com\tusr_1')
})

test('plantroom dr list names the device', async () => {
  vi.stubEnv('PLANTROOM_DEVICE', 'dev_1')
  expect(await inOurs('dr', 'list')).toBe(0)
  out.length = 0
  overrides = [
    { id: 'ovr_1', datapointId: 'dp_1', value: 5, state: 'active', from: AT, to: AT, placedByName: 'Partner' },
  ]
  expect(await inOurs('dr', 'list', '--json')).toBe(0)
  expect(printed()).toMatchObject([{ id: 'ovr_1', deviceId: 'dev_1', device: 'Boiler' }])
})

test('plantroom member add is member invite', async () => {
  await inOurs('member', 'add', 'new@example.com')
  await inOurs('member', 'invite', 'new@example.com')
  expect(err).toEqual(Array(2).fill(expect.stringContaining('give roles: --admin, --viewer SITE, --manager SITE')))
})
