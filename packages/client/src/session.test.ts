import { expect, test } from 'vitest'
import { ApiError, createSend } from './http.ts'
import { createSessionClient } from './session.ts'
import { sendJson, startServer } from './testing/server.ts'

async function clientOf(answer: unknown, status = 200) {
  const { url, requests } = await startServer((_asked, response) =>
    answer === undefined ? response.writeHead(204).end() : sendJson(response, status, answer),
  )
  const session = createSessionClient(createSend(url, {}))
  return { session, asked: () => requests.map(({ method, path, body }) => `${method} ${path} ${body}`.trim()) }
}

const SIGNED_IN = { user: { id: 'usr_1', email: 'mari@example.ee' }, organizations: [] }

test('a person signs in, asks who they are, changes their password and signs out', async () => {
  const { session, asked } = await clientOf(SIGNED_IN)
  expect(await session.signIn('mari@example.ee', 'secret')).toEqual(SIGNED_IN)
  expect(await session.whoAmI()).toEqual(SIGNED_IN)
  await session.changePassword('secret', 'another secret')
  await session.signOut()
  expect(asked()).toEqual([
    'POST /api/session {"email":"mari@example.ee","password":"secret"}',
    'GET /api/session',
    'PUT /api/session/password {"current":"secret","password":"another secret"}',
    'DELETE /api/session',
  ])
})

test('what is answered with nothing is nothing', async () => {
  const { session } = await clientOf(undefined)
  expect(await session.signOut()).toBeUndefined()
})

test('nobody who is signed in is an error with 401', async () => {
  const { session } = await clientOf({ message: 'sign in', code: 'UNAUTHENTICATED' }, 401)
  const error = await session.whoAmI().catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
})

test('a first start is set up with the token of the log', async () => {
  const asking = await clientOf({ needed: true })
  expect(await asking.session.needsSetUp()).toBe(true)
  expect(asking.asked()).toEqual(['GET /api/setup'])
  const first = {
    token: 't',
    organization: 'Kodumaja',
    site: 'Peahoone',
    timeZone: 'Europe/Tallinn',
    email: 'mari@example.ee',
    password: 'secret',
  }
  const { session, asked } = await clientOf(SIGNED_IN)
  expect(await session.setUp(first)).toEqual(SIGNED_IN)
  expect(asked()).toEqual([`POST /api/setup ${JSON.stringify(first)}`])
})

test('a link is looked at and used; its token is in no address', async () => {
  const { session, asked } = await clientOf({ email: 'mari@example.ee' })
  expect(await session.invitation('t')).toEqual({ email: 'mari@example.ee' })
  await session.acceptInvitation('t', 'secret')
  expect(asked()).toEqual([
    'POST /api/invitation {"token":"t"}',
    'PUT /api/invitation {"token":"t","password":"secret"}',
  ])
})

test('members are listed, added, changed and removed, and get new links', async () => {
  const { session, asked } = await clientOf({ members: [] })
  expect(await session.members('org/1')).toEqual([])
  await session.addMember('org_1', { email: 'jaan@example.ee', role: 'admin' })
  await session.changeMember('org_1', 'usr/2', { sites: [{ siteId: 'site_1', role: 'viewer' }] })
  await session.renewLink('org_1', 'usr_2')
  await session.removeMember('org_1', 'usr_2')
  expect(asked()).toEqual([
    'GET /api/orgs/org%2F1/members',
    'POST /api/orgs/org_1/members {"email":"jaan@example.ee","role":"admin"}',
    'PATCH /api/orgs/org_1/members/usr%2F2 {"sites":[{"siteId":"site_1","role":"viewer"}]}',
    'POST /api/orgs/org_1/members/usr_2/link',
    'DELETE /api/orgs/org_1/members/usr_2',
  ])
})
