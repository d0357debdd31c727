import type { RequestCode, ShownTicket } from '@plantroom/contract/api'
import { FORM_PHOTO_BYTES } from '@plantroom/contract/request-fields'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase } from '../../organization/activity/testing/logs.ts'
import { addTenant, asOperator, call, startTestCloud, type Tenant } from '../../testing/cloud.ts'

/** A picture of one pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const wide = () => {
  const picture = Buffer.from(PNG, 'base64')
  picture.writeUInt32BE(20_000, 16)
  return picture.toString('base64')
}

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let own: Tenant
let foreign: Tenant

beforeAll(async () => {
  cloud = await startTestCloud()
  own = await addTenant(cloud, 'Own')
  foreign = await addTenant(cloud, 'Foreign')
  for (const { orgId, siteId } of [own, foreign]) {
    await asOperator(cloud, 'PATCH', `/api/orgs/${orgId}/sites/${siteId}`, { maintenanceRequests: true })
  }
  await asOperator(cloud, 'POST', `${site(own)}/units`, { name: 'Basement' })
})
afterAll(() => cloud.stop())

const site = ({ orgId, siteId }: Tenant) => `/api/orgs/${orgId}/properties/${siteId}`
const db = () => openTestDatabase(cloud.config.databaseUrl ?? '')

async function addCode(body: object = { label: 'Boiler 2', unit: 'Basement' }) {
  const added = await asOperator(cloud, 'POST', `${site(own)}/request-codes`, body)
  const code = added.body as unknown as RequestCode
  return { status: added.status, message: added.body.message, code, form: formOf(code) }
}
const formOf = ({ url = '' }: RequestCode) => `/api/request-forms/${url.split('/').at(-1)}`
const send = (form: string, body: object = { description: 'It leaks' }) => call(cloud, 'POST', form, { body })

describe('a code', () => {
  test('is listed until it is removed, and its form with it', async () => {
    const { code, form } = await addCode()
    expect(code).toMatchObject({ label: 'Boiler 2', unit: 'Basement', url: expect.stringMatching(/\/r\/\w{16}$/) })
    const list = async () => (await asOperator(cloud, 'GET', `${site(own)}/request-codes`)).body.codes
    expect(await list()).toEqual([code])
    expect((await call(cloud, 'GET', form)).body).toEqual({ site: 'Site', label: 'Boiler 2', unit: 'Basement' })
    const remove = (of: Tenant) => asOperator(cloud, 'DELETE', `${site(of)}/request-codes/${code.id}`)
    expect((await remove(foreign)).status).toBe(404)
    expect((await remove(own)).status).toBe(204)
    expect(await list()).toEqual([])
    expect(await send(form)).toMatchObject({
      status: 404,
      body: { message: 'this code is not in use any more: contact the people who run the building' },
    })
  })

  test('needs a unit that the site has', async () => {
    expect(await addCode({ label: 'Door', unit: 'Attic' })).toMatchObject({
      status: 400,
      message: 'unit: this site has no unit Attic',
    })
  })

  test('opens no form while the site has maintenance requests turned off', async () => {
    const { form } = await addCode()
    const turn = (maintenanceRequests: boolean) =>
      asOperator(cloud, 'PATCH', `/api/orgs/${own.orgId}/sites/${own.siteId}`, { maintenanceRequests })
    await turn(false)
    expect([(await call(cloud, 'GET', form)).status, (await send(form)).status]).toEqual([404, 404])
    await turn(true)
    expect((await call(cloud, 'GET', form)).status).toBe(200)
  })
})

describe('the form of a code', () => {
  test('adds a new request with the unit, the reporter and the photo', async () => {
    const { form } = await addCode()
    const body = { description: 'It leaks\nsince Monday', name: 'Mari', email: 'mari@example.ee', photo: PNG }
    const sent = await send(form, body)
    expect(sent.status).toBe(201)
    expect(Object.keys(sent.body)).toEqual(['number'])
    const { body: request } = await asOperator(cloud, 'GET', `${site(own)}/tickets/${sent.body.number}`)
    expect(request as unknown as ShownTicket).toMatchObject({
      title: 'Boiler 2: It leaks',
      description: 'It leaks\nsince Monday',
      state: 'new',
      unit: 'Basement',
      reporter: { name: 'Mari', email: 'mari@example.ee' },
      attachments: [{ name: 'photo.png', contentType: 'image/png', size: Buffer.from(PNG, 'base64').length }],
    })
    const { id } = (request as unknown as ShownTicket).attachments[0] ?? { id: '' }
    const image = await call(cloud, 'GET', `${site(own)}/tickets/${sent.body.number}/attachments/${id}/image`, {
      headers: { authorization: `Bearer ${cloud.ready.adminToken}` },
    })
    expect(image.status).toBe(200)
  })

  test('cuts a long title between characters, and takes a request without a name', async () => {
    const { form } = await addCode()
    const { body } = await send(form, { description: '🔥'.repeat(200) })
    const { title, reporter } = (await asOperator(cloud, 'GET', `${site(own)}/tickets/${body.number}`)).body
    expect([title, reporter]).toEqual([`Boiler 2: ${'🔥'.repeat(89)}…`, null])
  })

  test.each([
    ['an unknown field', { description: 'x', state: 'closed' }, /state/],
    ['no description', { description: ' ' }, /description/],
    [
      'a file that is no picture',
      { description: 'x', photo: Buffer.from('<svg/>').toString('base64') },
      /JPEG, PNG or/,
    ],
    [
      'a picture that is too large',
      { description: 'x', photo: Buffer.alloc(FORM_PHOTO_BYTES + 3).toString('base64') },
      /photo/,
    ],
    ['a picture that is too wide', { description: 'x', photo: wide() }, /at most 16384 pixels/],
    ['an address that is none', { description: 'x', email: 'mari' }, /email/],
  ])('refuses %s, and adds nothing', async (_name, body, message) => {
    const { form } = await addCode()
    const { rows } = await sql`SELECT FROM ticket`.execute(db())
    expect(await send(form, body)).toMatchObject({ status: 400, body: { message: expect.stringMatching(message) } })
    expect((await sql`SELECT FROM ticket`.execute(db())).rows).toHaveLength(rows.length)
  })

  test('takes five requests of a network in an hour, for each code', async () => {
    const { form } = await addCode()
    for (let count = 0; count < 5; count += 1) expect((await send(form)).status).toBe(201)
    const refused = await send(form)
    expect(refused).toMatchObject({
      status: 429,
      body: { message: expect.stringMatching(/^too many requests were sent with this code: try again in \d+ minutes/) },
    })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await send((await addCode()).form)).status).toBe(201)
  })

  test('takes twenty requests in an hour, of all networks and in all processes', async () => {
    const { code, form } = await addCode()
    await sql`UPDATE request_code SET sent_in_hour = 20 WHERE id = ${code.id}`.execute(db())
    expect((await send(form)).status).toBe(429)
    await sql`UPDATE request_code SET hour_began_at = now() - interval '61 minutes' WHERE id = ${code.id}`.execute(db())
    expect((await send(form)).status).toBe(201)
  })
})
