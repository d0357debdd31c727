import type { Clock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import type { MemberRoles } from '@plantroom/contract/roles'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import { explainConflicts } from '../../db/database.ts'
import { addRoute } from '../../routes/index.ts'
import { hashSecret, makeToken } from '../secrets.ts'
import type { MemberStore, NewLink } from './member-store.ts'

const LINK_MS = 7 * 86_400_000

interface MemberRouteDeps {
  store: MemberStore
  clock: Clock
  /** The address of the console. */
  baseUrl(): string
}

/** Lists, adds, changes and removes the members of an organization, for its administrators. */
export function memberRoutes(app: FastifyInstance, deps: MemberRouteDeps): void {
  const { store, clock, baseUrl } = deps

  function makeLink(): { link: string; stored: NewLink } {
    const token = makeToken()
    // Browsers do not send the part after #, so no log contains the token.
    const link = `${baseUrl()}/welcome#${token}`
    return { link, stored: { hash: hashSecret(token), expiresAt: new Date(clock.now() + LINK_MS) } }
  }

  addRoute(app, API.listMembers, async (request) => ({ members: await store.list(request.params.orgId) }))

  addRoute(app, API.addMember, async (request) => {
    const { orgId } = request.params
    const email = request.body.email.toLowerCase()
    const roles = readRoles(request.body)
    const { link, stored } = makeLink()
    const { member, hasLink } = await explainConflicts(
      store.add(orgId, { id: newId('usr'), email, roles }, stored),
      conflicts(email),
    )
    return { ...member, link: hasLink ? link : null }
  })

  addRoute(app, API.changeMember, async (request) => {
    const { orgId, userId } = request.params
    return explainConflicts(store.change(orgId, userId, readRoles(request.body)), conflicts())
  })

  addRoute(app, API.removeMember, async (request) => {
    await store.remove(request.params.orgId, request.params.userId)
  })

  addRoute(app, API.renewMemberLink, async (request) => {
    const { orgId, userId } = request.params
    const { link, stored } = makeLink()
    const byOperator = request.userId === undefined
    return { ...(await store.renewLink(orgId, userId, stored, { byOperator })), link }
  })
}

interface GivenRoles {
  role?: 'admin'
  sites?: readonly { siteId: string; role: 'viewer' | 'manager' }[]
}

function readRoles({ role, sites }: GivenRoles): MemberRoles {
  if (role !== undefined && sites !== undefined) {
    throw new Failure('invalid', 'send role or sites, not both: an administrator has access to every site', 'sites')
  }
  if (role !== undefined) return { role }
  if (sites === undefined) throw new Failure('invalid', 'send role or sites', 'body')
  if (new Set(sites.map(({ siteId }) => siteId)).size < sites.length) {
    throw new Failure('invalid', 'sites contains a site twice', 'sites')
  }
  return { sites }
}

const conflicts = (email = 'this person') => ({
  membership_organization_id_site_id_fkey: new Failure(
    'invalid',
    'sites contains a site that this organization does not have',
    'sites',
  ),
  user_account_email_key: new Failure('conflict', `${shown(email)} was added by another request: try again`),
})
