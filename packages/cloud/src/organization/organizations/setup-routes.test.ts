import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startChildProgram } from '@plantroom/testkit/child-program'
import { eventually } from '@plantroom/testkit/eventually'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addTenant, asOperator, call, startTestCloud } from '../../testing/cloud.ts'
import { cookieOf, fromOwnPage, signIn } from '../access/testing/people.ts'

const MAIN = new URL('../../main.ts', import.meta.url)

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let token: string
beforeEach(async () => {
  cloud = await startTestCloud()
  token = readFileSync(tokenFile(), 'utf8').trim()
})
afterEach(() => cloud?.stop())

const tokenFile = () => join(cloud.config.folder, 'setup-token')
const isNeeded = async () => (await call(cloud, 'GET', '/api/setup')).body.needed
const FIRST = {
  organization: 'Kodumaja',
  site: 'Peahoone',
  timeZone: 'Europe/Tallinn',
  email: 'Mari@example.ee',
  password: 'correct horse battery staple',
}
const setUp = (changes: object = {}, headers: Record<string, string> = fromOwnPage(cloud)) =>
  call(cloud, 'POST', '/api/setup', { headers, body: { token, ...FIRST, ...changes } })

describe('a first start', () => {
  test('creates a setup token in the data folder', async () => {
    expect(token).toMatch(/^[0-9A-Za-z]{43}$/)
    expect(await isNeeded()).toBe(true)
  })

  // The browser tests follow the address that a first start logs.
  test('is the only one to log the address with the token', async () => {
    expect((await setUp()).status).toBe(200)
    const later = startChildProgram(MAIN, {
      env: {
        PLANTROOM_DATA: temporaryFolder(),
        DATABASE_URL: cloud.config.databaseUrl ?? '',
        PLANTROOM_PORT: '0',
        PLANTROOM_MQTT_PORT: '0',
        PLANTROOM_ADMIN_TOKEN: 'admin-token-0123456789-0123456789',
      },
    })
    await eventually(() => expect(later.stdout()).toContain('"msg":"only this machine can reach'))
    expect(later.stdout()).not.toContain('/setup#')
    later.kill('SIGTERM')
    await later.ended
  })

  test('creates the first organization, site and administrator, and signs them in', async () => {
    const { status, body, ...rest } = await setUp()
    expect([status, body]).toEqual([
      200,
      {
        user: { id: expect.any(String), email: 'mari@example.ee' },
        organizations: [
          {
            id: expect.any(String),
            name: 'Kodumaja',
            isAdmin: true,
            sites: [
              {
                id: expect.any(String),
                name: 'Peahoone',
                timeZone: 'Europe/Tallinn',
                maintenanceRequests: false,
                role: 'admin',
              },
            ],
          },
        ],
      },
    ])
    expect(await isNeeded()).toBe(false)
    expect(existsSync(tokenFile())).toBe(false)
    const [organization] = body.organizations as { id: string; sites: { id: string }[] }[]
    const headers = { ...fromOwnPage(cloud), cookie: cookieOf({ status, body, ...rest }) }
    const path = `/api/orgs/${organization?.id}/sites/${organization?.sites[0]?.id}`
    expect((await call(cloud, 'PATCH', path, { headers, body: { maintenanceRequests: true } })).status).toBe(200)
    expect((await signIn(cloud, FIRST.email, FIRST.password)).status).toBe(200)
  })

  test('can be set up only once, even by concurrent requests', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map((nth) => setUp({ organization: `Organization ${nth}`, email: `${nth}@example.com` })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const later = await setUp({ organization: 'Later', email: 'later@example.com' })
    expect([later.status, later.body.message]).toEqual([409, expect.stringContaining('already complete')])
    expect((await asOperator(cloud, 'GET', '/api/orgs')).body.organizations).toHaveLength(1)
  })

  test('answers 403 to a wrong token and sets up nothing', async () => {
    for (const wrong of ['', 'x', '0'.repeat(43), 'x'.repeat(1024)]) {
      const { status, body } = await setUp({ token: wrong })
      expect([status, body.message]).toEqual([403, expect.stringContaining('wrong token')])
    }
    expect(await isNeeded()).toBe(true)
  })

  test.each([
    ['an unknown time zone', { timeZone: 'Mars/Olympus' }, 'timeZone'],
    ['a blank organization', { organization: ' ' }, 'organization'],
    ['a blank site', { site: '' }, 'site'],
    ['an invalid address', { email: 'mari' }, 'email'],
    ['a short password', { password: 'short' }, 'password'],
    ['no password', { password: undefined }, 'password'],
  ])('with %s answers 400 and sets up nothing', async (_what, changes, field) => {
    const { status, body } = await setUp(changes)
    expect([status, body.field]).toEqual([400, field])
    expect(await isNeeded()).toBe(true)
    expect((await asOperator(cloud, 'GET', '/api/orgs')).body.organizations).toEqual([])
  })

  test('answers 409 with a remedy when the operator already created that organization', async () => {
    await addTenant(cloud, FIRST.organization)
    const { status, body } = await setUp()
    expect([status, body.message]).toEqual([409, expect.stringContaining('plantroom user add')])
    expect(await isNeeded()).toBe(true)
    expect((await setUp({ organization: 'Another' })).status).toBe(200)
  })

  test('cannot be set up from a page of another site', async () => {
    expect((await setUp({}, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await setUp({}, {})).status).toBe(403)
    expect(await isNeeded()).toBe(true)
  })

  test('is complete once the operator adds a user', async () => {
    const { orgId } = await addTenant(cloud, 'Organization')
    const added = { email: 'jaan@example.ee', password: FIRST.password }
    expect((await asOperator(cloud, 'POST', `/api/orgs/${orgId}/users`, added)).status).toBe(201)
    expect(await isNeeded()).toBe(false)
    expect(existsSync(tokenFile())).toBe(false)
    expect((await setUp()).status).toBe(409)
    expect((await signIn(cloud, added.email, added.password)).status).toBe(200)
  })
})
