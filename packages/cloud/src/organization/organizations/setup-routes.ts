import { newId } from '@plantroom/base/ids'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { foldEmail } from '@plantroom/contract/fold-email'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import { explainConflicts } from '../../platform/db/database.ts'
import { addRoute } from '../../platform/routes/index.ts'
import { type AccessControl, hashSecret, secretMatches } from '../access/index.ts'
import type { ActivityLog } from '../activity/index.ts'
import { requireTimeZone } from './organization-routes.ts'
import { createOrganizationStore } from './organization-store.ts'

interface SetupRouteDeps extends Pick<AccessControl, 'users' | 'setupToken' | 'passwords' | 'signIn'> {
  sendsMail: boolean
  activity: ActivityLog
  /** Resolves when all lookups of this process see a change to a site. */
  siteChanged(siteId: string): Promise<void>
}

/** Creates the first organization, its site and its administrator, so that no default password is needed. */
export function setupRoutes(app: FastifyInstance, deps: SetupRouteDeps): void {
  const { sendsMail, activity, users, setupToken, passwords, signIn, siteChanged } = deps
  const done = () =>
    new Failure('conflict', 'setup is already complete: sign in, or ask an administrator for an invitation')

  addRoute(app, API.getSetup, async () => {
    return { needed: !(await users.hasUsers()), resetByMail: sendsMail }
  })

  addRoute(app, API.setUp, async (request, reply) => {
    const { organization, site, timeZone, email, password } = request.body
    if (await users.hasUsers()) throw done()
    if (!secretMatches(request.body.token, hashSecret(await setupToken.load()))) {
      // A setup that just completed deleted the token, and `load` created another.
      if (await users.hasUsers()) throw done()
      throw new Failure('forbidden', 'wrong token: open the address that the server logs when it starts')
    }
    requireTimeZone(timeZone)
    const user = {
      id: newId('usr'),
      email: foldEmail(email),
      passwordHash: await passwords.hashFor('operator', password),
    }
    const siteId = newId('site')
    const first = {
      organization: { id: newId('org'), name: organization },
      site: { id: siteId, name: site, timeZone },
      user,
    }
    const change = activity.change(request, async (tx, note) => {
      if (!(await createOrganizationStore(tx).addFirstTenant(first))) return false
      const person = { kind: 'person', id: user.id, name: user.email } as const
      const organizationId = first.organization.id
      const by = { ...person, address: request.actor.address }
      const subject = { kind: 'organization', ...first.organization } as const
      note({ organizationId, action: 'organization-added', subject, by, details: { setup: true } })
      note({ organizationId, action: 'member-added', subject: person, by, details: { role: 'admin' } })
      return true
    })
    const isFirst = await explainConflicts(change, {
      organization_name_key: new Failure(
        'conflict',
        `there is already an organization "${shown(organization)}": choose another name, or ask the operator to add you to it with "plantroom user add"`,
      ),
    })
    if (!isFirst) throw done()
    await siteChanged(siteId)
    await setupToken.forget()
    return signIn(request, reply, { userId: user.id, passwordHash: user.passwordHash })
  })
}
