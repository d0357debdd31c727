import { newId } from '@plantroom/base/ids'
import { Failure } from '@plantroom/contract/failure'
import { NOT_BLANK } from '@plantroom/contract/patterns'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import { type AccessControl, email, hashSecret, newPassword, secretMatches, signedIn, typed } from '../access/index.ts'
import { explainConflicts } from '../db/database.ts'
import type { SetupStore } from './setup-store.ts'
import { requireTimeZone } from './time-zone.ts'

const tags = ['Sign in']
const name = { type: 'string', minLength: 1, maxLength: 255, pattern: NOT_BLANK } as const

interface SetupRequest {
  token: string
  organization: string
  site: string
  timeZone: string
  email: string
  password: string
}

export interface SetupRouteDeps extends Pick<AccessControl, 'users' | 'setupToken' | 'passwords' | 'signIn'> {
  store: SetupStore
  /** Resolves when all lookups of this process see a change to a site. */
  siteChanged(siteId: string): Promise<void>
}

/** Creates the first organization, its site and its administrator, so that no default password is needed. */
export function setupRoutes(app: FastifyInstance, deps: SetupRouteDeps): void {
  const { store, users, setupToken, passwords, signIn, siteChanged } = deps
  const done = () =>
    new Failure('conflict', 'setup is already complete: sign in, or ask an administrator for an invitation')

  app.get(
    '/api/setup',
    {
      config: { access: { by: 'anyone' } },
      schema: {
        tags,
        summary: 'Show whether setup is needed, because no user exists yet',
        response: { 200: { type: 'object', properties: { needed: { type: 'boolean' } } } },
      },
    },
    async (_request, reply) => {
      void reply.header('cache-control', 'no-store')
      return { needed: !(await users.hasUsers()) }
    },
  )

  app.post<{ Body: SetupRequest }>(
    '/api/setup',
    {
      config: { access: { by: 'anyone', fromOwnPages: true } },
      schema: {
        tags,
        summary: 'Complete the first setup with the token in the log of the server',
        body: {
          type: 'object',
          required: ['token', 'organization', 'site', 'timeZone', 'email', 'password'],
          properties: {
            token: typed,
            organization: name,
            site: name,
            timeZone: { type: 'string', maxLength: 255, description: 'An IANA name, for example Europe/Tallinn' },
            email,
            password: newPassword,
          },
        },
        response: { 200: signedIn },
      },
    },
    async (request, reply) => {
      const { organization, site, timeZone, email, password } = request.body
      if (await users.hasUsers()) throw done()
      if (!secretMatches(request.body.token, hashSecret(await setupToken.load()))) {
        // A setup that just completed deleted the token, and `load` created another.
        if (await users.hasUsers()) throw done()
        throw new Failure('forbidden', 'wrong token: open the address that the server logs when it starts')
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
          `there is already an organization "${shown(organization)}": choose another name, or ask the operator to add you to it with "plantroom user add"`,
        ),
      })
      if (!isFirst) throw done()
      await siteChanged(siteId)
      await setupToken.forget()
      return signIn(request, reply, { userId: user.id, passwordHash: user.passwordHash })
    },
  )
}
