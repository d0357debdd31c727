import { createHash } from 'node:crypto'
import { systemClock } from '@plantroom/base/clock'
import type { Ticket } from '@plantroom/contract/tickets'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openFiles } from '../../platform/files/index.ts'
import { addTenant, call, createKey, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { body, databaseOf, imported, importRequests, onSite } from './testing/site.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant
let site: ReturnType<typeof onSite>

beforeAll(async () => {
  cloud = await startTestCloud()
  tenant = await addTenant(cloud, 'Organization')
  site = onSite(cloud, tenant)
})
afterAll(() => cloud?.stop())

const show = async (number: number) =>
  body<Ticket & { commentsCursor: string | null }>(await site.get(`/tickets/${number}`))

describe('an imported request', () => {
  test('is shown with all fields of its package and its files', async () => {
    const db = databaseOf(cloud)
    const file = { name: 'photos/köök.jpg', contentType: 'image/jpeg', size: 5, sha256: Buffer.alloc(32, 7) }
    const number = await importRequests(db, tenant.siteId, [
      imported('old-1', {
        tone: 'angry',
        ccEmails: ['a@example.ee', 'b"c@example.ee'],
        feedback: 9_007_199_254_740_991,
        feedbackText: 'thanks',
        createdAt: '0001-01-02T00:00:00Z',
        resolvedAt: '2024-06-01T00:00:00Z',
        attachments: [file, { ...file, name: 'x', contentType: null }],
        comments: [
          {
            content: 'one',
            author: { id: null, email: null, name: 'P', phone: null },
            createdAt: null,
            attachments: [],
          },
          {
            content: '',
            author: { id: null, email: null, name: null, phone: null },
            createdAt: '2024-05-02T00:00:00Z',
            attachments: [file],
          },
        ],
      }),
    ])
    const ticket = await show(number)
    expect(ticket).toMatchObject({
      externalId: 'old-1',
      tone: 'angry',
      ccEmails: ['a@example.ee', 'b"c@example.ee'],
      feedback: 9_007_199_254_740_991,
      feedbackText: 'thanks',
      createdAt: '0001-01-02T00:00:00.000Z',
      updatedAt: null,
      resolvedAt: '2024-06-01T00:00:00.000Z',
      attachments: [
        { name: 'photos/köök.jpg', contentType: 'image/jpeg', size: 5 },
        { name: 'x', contentType: null, size: 5 },
      ],
      comments: [
        { content: 'one', author: { email: null, name: 'P', phone: null }, createdAt: null, attachments: [] },
        {
          content: '',
          author: null,
          createdAt: '2024-05-02T00:00:00.000Z',
          attachments: [{ name: 'photos/köök.jpg' }],
        },
      ],
    })

    const [first] = ticket.attachments
    const { url } = body<{ url: string }>(await site.get(`/tickets/${number}/attachments/${first?.id}`))
    expect(url).toContain(`${tenant.siteId}/${'07'.repeat(32)}`)
    const ofComment = ticket.comments[1]?.attachments[0]?.id
    expect((await site.get(`/tickets/${number}/attachments/${ofComment}`)).status).toBe(200)
    const another = body<Ticket>(await site.post('/tickets', { title: 'without files' }), 201)
    for (const path of [`${another.number}/attachments/${first?.id}`, `${number}/attachments/att_none`]) {
      expect((await site.get(`/tickets/${path}`)).status).toBe(404)
    }
    expect((await site.get(`/tickets/${number}/attachments/%00`)).status).toBe(404)
    const other = await addTenant(cloud, 'Stranger')
    const { apiKey } = await createKey(cloud, other.orgId, ['ticket:read_write'])
    const stranger = await call(
      cloud,
      'GET',
      `${onSite(cloud, other).base}/tickets/${number}/attachments/${first?.id}`,
      {
        headers: { 'x-api-key': apiKey },
      },
    )
    expect(stranger.status).toBe(404)
  })

  test('serves its attachments as downloads to anyone with the address', async () => {
    const bytes = Buffer.from('<script>alert(1)</script>')
    const sha256 = createHash('sha256').update(bytes).digest()
    await using parts = new AsyncDisposableStack()
    const files = await openFiles(cloud.config, { parts, clock: systemClock, baseUrl: () => cloud.ready.baseUrl })
    const batch = files.store.openBlobBatch(tenant.siteId)
    await batch.add(sha256, bytes)
    await batch.flush()
    const file = { name: 'a/õ "x".html', contentType: 'text/html', size: bytes.length, sha256 }
    const number = await importRequests(databaseOf(cloud), tenant.siteId, [imported('file', { attachments: [file] })])
    const attachmentId = (await show(number)).attachments[0]?.id
    const { url } = body<{ url: string }>(await site.get(`/tickets/${number}/attachments/${attachmentId}`))
    const download = await fetch(url)
    expect([download.status, await download.text()]).toEqual([200, bytes.toString()])
    expect(download.headers.get('content-disposition')).toMatch(/^attachment;.*%C3%B5%20%22x%22\.html/)
  })

  test('shows the first million characters of a text of many megabytes', async () => {
    const long = 'õ'.repeat(3_000_000)
    const nobody = { id: null, email: null, name: null, phone: null }
    const comment = { content: long, author: nobody, createdAt: null, attachments: [] }
    const number = await importRequests(databaseOf(cloud), tenant.siteId, [
      imported('huge', { description: long, notes: long.slice(0, 1_000_000), comments: [comment, comment] }),
    ])
    const cut = `${long.slice(0, 1_000_000)}…`
    const ticket = await show(number)
    expect(ticket.description === cut).toBe(true)
    expect(ticket.notes === long.slice(0, 1_000_000)).toBe(true)
    expect(ticket.comments.map(({ content }) => content === cut)).toEqual([true])
    expect(ticket.commentsCursor).not.toBeNull()
  })
})
