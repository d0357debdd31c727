import { describe, expect, test } from 'vitest'
import { createAdminClient, createAdministration } from './admin.ts'
import { createSend } from './http.ts'
import { sendJson, startServer } from './testing/server.ts'

const FILE = { technicalSystem: 'Room', connections: [] }

describe('administration', () => {
  test('is called with the token of the operator', async () => {
    const { url, requests } = await startServer((_asked, response) => sendJson(response, 200, { devices: [] }))
    expect(await createAdminClient({ baseUrl: url, adminToken: 'secret' }).devices('org_1')).toEqual([])
    expect(requests[0]).toMatchObject({
      method: 'GET',
      path: '/api/orgs/org_1/devices',
      headers: { authorization: 'Bearer secret' },
    })
  })

  test('may be called by a person, who has no token', async () => {
    const { url, requests } = await startServer((_asked, response) => sendJson(response, 200, { sites: [] }))
    await createAdministration(createSend(url, {})).sites('org_1')
    expect(requests[0]?.headers).not.toHaveProperty('authorization')
  })
})

describe('the commissioning file of a technical system', () => {
  test('is fetched by its ids, whatever they are', async () => {
    const { url, requests } = await startServer((_asked, response) => sendJson(response, 200, FILE))
    const file = await createAdministration(createSend(url, {})).commissioningFile('o/1', 'dev_1', '../sys')
    expect(file).toEqual(FILE)
    expect(requests[0]?.path).toBe('/api/orgs/o%2F1/devices/dev_1/technical-systems/..%2Fsys/file')
  })
})
