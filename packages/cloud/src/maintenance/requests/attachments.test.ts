import type { Ticket, TicketComment } from '@plantroom/contract/tickets'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addTenant, asOperator, call, createKey, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { jpeg, png } from './testing/images.ts'
import { body, databaseOf, onSite } from './testing/site.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant
let foreign: Tenant
let site: ReturnType<typeof onSite>

beforeAll(async () => {
  cloud = await startTestCloud()
  tenant = await addTenant(cloud, 'Organization')
  foreign = await addTenant(cloud, 'Foreign')
  site = onSite(cloud, tenant)
})
afterAll(() => cloud?.stop())

/** Uploads a file and returns its id. */
async function upload(bytes: Buffer | string, to = site): Promise<string> {
  const { uploadId, url } = body<{ uploadId: string; url: string }>(
    await to.get(`/attachment-uploads/upload-url?size=${bytes.length}`),
  )
  const sent = await fetch(url, { method: 'PUT', body: new Uint8Array(Buffer.from(bytes)) })
  if (!sent.ok) throw new Error(`the upload answered ${sent.status}`)
  return uploadId
}
const addRequest = async (extra: object = {}) =>
  body<Ticket>(await site.post('/tickets', { title: 'Tap', ...extra }), 201)
const count = async (table: 'ticket' | 'ticket_comment' | 'package_upload') => {
  const found = await databaseOf(cloud)
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirst()
  return Number(found?.count)
}
const image = (number: number, id: string | undefined, headers: Record<string, string> = {}, base = site.base) =>
  fetch(`${cloud.ready.baseUrl}${base}/tickets/${number}/attachments/${id}/image`, {
    headers: { authorization: `Bearer ${cloud.ready.adminToken}`, ...headers },
  })

describe('uploaded files', () => {
  test('are attached to a new request, each name once, and the uploads are gone', async () => {
    const before = await count('package_upload')
    const attachments = [
      { uploadId: await upload('one'), name: 'image.jpg', contentType: 'image/jpeg' },
      { uploadId: await upload('two'), name: '../image.jpg' },
      { uploadId: await upload(''), name: 'empty.txt', contentType: 'no type' },
    ]
    const { number, attachments: found } = await addRequest({ attachments })
    expect(found).toEqual([
      { id: expect.any(String), name: 'image.jpg', contentType: 'image/jpeg', size: 3 },
      { id: expect.any(String), name: 'image (2).jpg', contentType: null, size: 3 },
      { id: expect.any(String), name: 'empty.txt', contentType: null, size: 0 },
    ])
    const { url } = body<{ url: string }>(await site.get(`/tickets/${number}/attachments/${found[1]?.id}`))
    expect(await (await fetch(url)).text()).toBe('two')
    expect(await count('package_upload')).toBe(before)
  })

  test('are attached to a comment, which may then have no text; the mail has links for a reporter without an account', async () => {
    const { number } = await addRequest({ reporter: { email: 'resident@example.ee' } })
    const attachments = [{ uploadId: await upload('plan'), name: 'Plan A.pdf', contentType: 'application/pdf' }]
    const path = `/tickets/${number}/comments`
    const added = body<TicketComment>(await site.post(path, { content: '', attachments }), 201)
    expect(added.attachments).toMatchObject([{ name: 'Plan A.pdf', size: 4 }])
    expect(body<Ticket>(await site.get(`/tickets/${number}`)).comments).toMatchObject([
      { attachments: added.attachments },
    ])
    const { mails } = body<{ mails: { body: string; ticketNumber: number }[] }>(await site.get('/outbox'))
    const text = mails.find((mail) => mail.ticketNumber === number)?.body ?? ''
    expect(text).toContain('which you can open for 7 days without signing in:\n- Plan A.pdf\n  http')
    const opened = await fetch(/ {2}(http\S+)/.exec(text)?.[1] ?? '')
    expect([await opened.text(), opened.headers.get('content-disposition')]).toEqual([
      'plan',
      expect.stringMatching(/^attachment; /),
    ])
  })

  test('are attached once: of two who use one, the second is refused and adds nothing', async () => {
    const attachments = [{ uploadId: await upload('once'), name: 'a.txt' }]
    const answers = await Promise.all([1, 2, 3].map(() => site.post('/tickets', { title: 'Race', attachments })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400])
    const { tickets } = body<{ tickets: Ticket[] }>(await site.get('/tickets?q=Race'))
    expect(tickets).toHaveLength(1)
  })

  test.each([
    ['was never offered', async () => 'upload_nothing'],
    [
      'was offered but not sent',
      async () => String((await site.get('/attachment-uploads/upload-url?size=1')).body.uploadId),
    ],
    ['belongs to a site of another organization', async () => upload('theirs', onSite(cloud, foreign))],
    ['is a package', async () => 'here.fpl'],
  ])('that one %s adds neither request nor comment', async (_what, makeId) => {
    const { number } = await addRequest()
    const before = [await count('ticket'), await count('ticket_comment')]
    const attachments = [
      { uploadId: await upload('fine'), name: 'fine.txt' },
      { uploadId: await makeId(), name: 'x.txt' },
    ]
    for (const [path, content] of [
      ['/tickets', { title: 'T' }],
      [`/tickets/${number}/comments`, { content: 'x' }],
    ] as const) {
      const answer = await site.post(path, { ...content, attachments })
      expect([answer.status, answer.body.field]).toEqual([400, 'attachments[1].uploadId'])
    }
    expect([await count('ticket'), await count('ticket_comment')]).toEqual(before)
  })

  test('are counted and limited', async () => {
    const attachments = Array.from({ length: 21 }, () => ({ uploadId: 'u', name: 'x' }))
    expect((await site.post('/tickets', { title: 'T', attachments })).body.field).toBe('attachments')
    const tooLarge = await site.get('/attachment-uploads/upload-url?size=100000001')
    expect([tooLarge.status, tooLarge.body.field]).toEqual([400, 'size'])
  })

  test('stay for another attempt when the request is refused', async () => {
    const attachments = [{ uploadId: await upload('again'), name: 'a.txt' }]
    expect((await site.post('/tickets', { title: 'T', unit: 'No such unit', attachments })).status).toBe(400)
    expect((await addRequest({ attachments })).attachments).toMatchObject([{ size: 5 }])
  })
})

describe('an attachment as a picture', () => {
  async function attached(bytes: Buffer | string, contentType: string, name = 'a.png') {
    const { number, attachments } = await addRequest({
      attachments: [{ uploadId: await upload(bytes), name, contentType }],
    })
    return { number, id: attachments[0]?.id }
  }

  test('is served with the type of its bytes, for showing only', async () => {
    const bytes = jpeg(4000, 3000, 150_000)
    const { number, id } = await attached(bytes, 'text/html', 'a.html')
    const answer = await image(number, id)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(bytes.length),
      'content-disposition': expect.stringMatching(/^inline; /),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-cache',
    })
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
    const again = await image(number, id, { 'if-none-match': answer.headers.get('etag') ?? '' })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  test.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'image/svg+xml'],
    ['SVG that is declared as PNG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>', 'image/png'],
    ['HTML', '<!doctype html><script>alert(1)</script>', 'image/png'],
    ['30,000 × 30,000 pixels', png(30_000, 30_000), 'image/png'],
    ['a line of 20,000 pixels', png(20_000, 1), 'image/png'],
    ['no pixels', png(0, 10), 'image/png'],
    ['nothing', '', 'image/png'],
  ])('is not served: %s', async (_what, bytes, type) => {
    const { number, id } = await attached(bytes, type)
    const answer = await image(number, id)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, expect.stringContaining('json')])
    expect(await answer.text()).toContain('cannot be shown')
  })

  test('is closed to other organizations, other sites and other requests', async () => {
    const { number, id } = await attached(png(8, 8), 'image/png')
    const second = await asOperator(cloud, 'POST', `/api/orgs/${tenant.orgId}/sites`, {
      name: 'B',
      maintenanceRequests: true,
    })
    const other = onSite(cloud, { orgId: tenant.orgId, siteId: String(second.body.id) })
    const { number: otherNumber } = body<Ticket>(await other.post('/tickets', { title: 'Other' }), 201)
    expect((await image(otherNumber, id, {}, other.base)).status).toBe(404)
    expect((await image((await addRequest()).number, id)).status).toBe(404)
    const keys = [
      await createKey(cloud, foreign.orgId, ['ticket:read_write']),
      await createKey(cloud, tenant.orgId, ['ticket:read_write'], [String(second.body.id)]),
      await createKey(cloud, tenant.orgId, ['edge-device:read_write']),
    ]
    for (const { apiKey } of keys) {
      const path = `${site.base}/tickets/${number}/attachments/${id}/image`
      expect((await call(cloud, 'GET', path, { headers: { 'x-api-key': apiKey } })).status).toBe(403)
    }
  })
})
