import { expect, test } from 'vitest'
import { createSend } from './http.ts'
import { createOutboxClient } from './outbox.ts'
import { sendJson, startServer } from './testing/server.ts'

test('mails come by pages', async () => {
  const { url, requests } = await startServer((_asked, response) =>
    sendJson(response, 200, { mails: [], nextCursor: '17' }),
  )
  const outbox = createOutboxClient(createSend(url, {}), { orgId: 'o/1', propertyId: 's' })
  expect(await outbox.mails({ limit: 50 })).toEqual({ mails: [], nextCursor: '17' })
  await outbox.mails({ limit: 50, cursor: '17' })
  expect(requests.map(({ path }) => path)).toEqual([
    '/api/orgs/o%2F1/properties/s/outbox?limit=50',
    '/api/orgs/o%2F1/properties/s/outbox?limit=50&cursor=17',
  ])
})
