import { expect, test } from 'vitest'
import { createSend } from './http.ts'
import { createPeopleClient } from './people.ts'
import { sendJson, startServer } from './testing/server.ts'

const BASE = '/api/orgs/o/properties/s'

test('all units and people are listed, however many pages they fill', async () => {
  const { url, requests } = await startServer(({ path }, response) =>
    path?.includes('cursor=A1')
      ? sendJson(response, 200, { units: [{ id: '2', name: 'A2' }], nextCursor: null })
      : sendJson(response, 200, {
          units: [{ id: '1', name: 'A1' }],
          people: [],
          nextCursor: path?.includes('people') ? null : 'A1',
        }),
  )
  const site = createPeopleClient(createSend(url, {}), { orgId: 'o', propertyId: 's' })
  expect((await site.units()).map(({ name }) => name)).toEqual(['A1', 'A2'])
  expect(await site.people()).toEqual([])
  expect(requests.map(({ path }) => path)).toEqual([
    `${BASE}/units?limit=1000`,
    `${BASE}/units?limit=1000&cursor=A1`,
    `${BASE}/people?limit=1000`,
  ])
})

test('a person is changed and removed, a unit is removed', async () => {
  const { url, requests } = await startServer((_asked, response) => sendJson(response, 200, { id: 'x' }))
  const site = createPeopleClient(createSend(url, {}), { orgId: 'o', propertyId: 's' })
  await site.changePerson('p/1', { name: null })
  await site.removePerson('p/1')
  await site.removeUnit('u1')
  expect(requests.map(({ method, path, body }) => [method, path, body])).toEqual([
    ['PATCH', `${BASE}/people/p%2F1`, '{"name":null}'],
    ['DELETE', `${BASE}/people/p%2F1`, ''],
    ['DELETE', `${BASE}/units/u1`, ''],
  ])
})
