import { newId } from '@plantroom/base/ids'
import { Failure } from '@plantroom/contract/failure'
import { NOT_BLANK } from '@plantroom/contract/patterns'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import { hashSecret, secretMatches } from '../access/api-key.ts'
import type { Passwords } from '../access/passwords.ts'
import type { SetupToken } from '../access/setup-token.ts'
import type { SignIn } from '../access/sign-in.ts'
import { email, newPassword, signedIn, typed } from '../access/sign-in-schemas.ts'
import type { UserStore } from '../access/user-store.ts'
import { explainConflicts } from '../db/conflicts.ts'
import type { SetupStore } from './setup-store.ts'
import { requireTimeZone } from './time-zone.ts'

const tags = ['Sign in']
const name = { type: 'string', minLength: 1, maxLength: 255, pattern: NOT_BLANK } as const

interface SetUp {
  token: string
  organization: string
  site: string
  timeZone: string
  email: string
  password: string
}

export interface SetupRouteDeps {
  store: SetupStore
  users: Pick<UserStore, 'isAnyone'>
  token: SetupToken
  passwords: Passwords
  signIn: SignIn
  /** Resolves when every look-up of this process knows of a change to a site. */
  siteChanged(siteId: string): Promise<void>
}

/** A first start: the first organization, its site, and who administers it. There is no default password. */
export function setupRoutes(app: FastifyInstance, deps: SetupRouteDeps): void {
  const { store, users, token, passwords, signIn, siteChanged } = deps
  const done = () =>
    new Failure('conflict', 'this was set up already: sign in, or ask an administrator for an invitation')

  app.get(
    '/api/setup',
    {
      config: { access: { by: 'anyone' } },
      schema: {
        tags,
        summary: 'Whether this is a first start: nobody can sign in yet',
        response: { 200: { type: 'object', properties: { needed: { type: 'boolean' } } } },
      },
    },
    async (_request, reply) => {
      void reply.header('cache-control', 'no-store')
      return { needed: !(await users.isAnyone()) }
    },
  )

  app.post<{ Body: SetUp }>(
    '/api/setup',
    {
      config: { access: { by: 'anyone', fromOwnPages: true } },
      schema: {
        tags,
        summary: 'Set up at a first start, with the token that the log of the server says',
        body: {
          type: 'object',
          required: ['token', 'organization', 'site', 'timeZone', 'email', 'password'],
          properties: {
            token: typed,
            organization: name,
            site: name,
            timeZone: { type: 'string', maxLength: 255, description: 'IANA name, such as Europe/Tallinn' },
            email,
            password: newPassword,
          },
        },
        response: { 200: signedIn },
      },
    },
    async (request, reply) => {
      const { organization, site, timeZone, email, password } = request.body
      if (await users.isAnyone()) throw done()
      if (!secretMatches(request.body.token, hashSecret(await token.load()))) {
        // Whoever set up a moment ago has had the token made anew.
        if (await users.isAnyone()) throw done()
        throw new Failure('forbidden', 'wrong token: open the address that the log of the server says at its start')
      }
      requireTimeZone(timeZone)
      const user = { id: newId('usr'), email: email.toLowerCase(), passwordHash: await passwords.hash(password) }
      const siteId = newId('site')
      const first = {
        organization: { id: newId('org'), name: organization },
        site: { id: siteId, name: site, timeZone },
        user,
      }
      const isFirst = await explainConflicts(store.addFirst(first), {
        organization_name_key: new Failure(
          'conflict',
          `there is an organization "${shown(organization)}" already: choose another name, or have the operator add you to it with "plantroom user add"`,
        ),
      })
      if (!isFirst) throw done()
      await siteChanged(siteId)
      await token.forget()
      return signIn(request, reply, { userId: user.id, passwordHash: user.passwordHash })
    },
  )
}
