import type { Clock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { Failure } from '@plantroom/contract/failure'
import type { MemberRoles } from '@plantroom/contract/roles'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import { explainConflicts } from '../../db/database.ts'
import { STORABLE } from '../../db/patterns.ts'
import { hashSecret, makeToken } from '../secrets.ts'
import type { MemberStore, NewLink } from './member-store.ts'
import { email, invitedMember, member, memberRoles } from './sign-in-schemas.ts'

const MEMBERS = '/api/orgs/:orgId/members'
const ONE = `${MEMBERS}/:userId`
const LINK_MS = 7 * 86_400_000

const tags = ['Administration']
const config = { access: { by: 'operator', role: 'admin' } } as const
const id = { type: 'string', maxLength: 255, pattern: STORABLE } as const
const params = { type: 'object', properties: { orgId: id, userId: id } } as const

interface MemberRoute {
  Params: { orgId: string; userId: string }
}

export interface MemberRouteDeps {
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

  app.get<{ Params: { orgId: string } }>(
    MEMBERS,
    {
      config,
      schema: {
        tags,
        summary: 'List the members of an organization with their roles, sorted by e-mail address',
        params: { type: 'object', properties: { orgId: id } },
        response: { 200: { type: 'object', properties: { members: { type: 'array', items: member } } } },
      },
    },
    async (request) => ({ members: await store.list(request.params.orgId) }),
  )

  app.post<{ Params: { orgId: string }; Body: { email: string } & GivenRoles }>(
    MEMBERS,
    {
      config,
      schema: {
        tags,
        summary: 'Add a member; new users set their password with the link in the answer',
        params: { type: 'object', properties: { orgId: id } },
        body: { type: 'object', required: ['email'], properties: { email, ...memberRoles } },
        response: { 201: invitedMember },
      },
    },
    async (request, reply) => {
      const { orgId } = request.params
      const email = request.body.email.toLowerCase()
      const roles = readRoles(request.body)
      const { link, stored } = makeLink()
      const { member, hasLink } = await explainConflicts(
        store.add(orgId, { id: newId('usr'), email, roles }, stored),
        conflicts(email),
      )
      return reply.code(201).send({ ...member, link: hasLink ? link : null })
    },
  )

  app.patch<MemberRoute & { Body: GivenRoles }>(
    ONE,
    {
      config,
      schema: {
        tags,
        summary: 'Change the roles of a member, effective immediately',
        params,
        body: { type: 'object', properties: memberRoles },
        response: { 200: member },
      },
    },
    async (request) => {
      const { orgId, userId } = request.params
      return explainConflicts(store.change(orgId, userId, readRoles(request.body)), conflicts())
    },
  )

  app.delete<MemberRoute>(
    ONE,
    {
      config,
      schema: {
        tags,
        summary: 'Remove a member, effective immediately',
        params,
        response: { 204: { type: 'null' } },
      },
    },
    async (request, reply) => {
      await store.remove(request.params.orgId, request.params.userId)
      return reply.code(204).send()
    },
  )

  app.post<MemberRoute>(
    `${ONE}/link`,
    {
      config,
      schema: {
        tags,
        summary: 'Create a new link to set a password; the previous link stops working',
        params,
        response: { 200: invitedMember },
      },
    },
    async (request) => {
      const { orgId, userId } = request.params
      const { link, stored } = makeLink()
      const byOperator = request.userId === undefined
      return { ...(await store.renewLink(orgId, userId, stored, { byOperator })), link }
    },
  )
}

interface GivenRoles {
  role?: 'admin'
  sites?: { siteId: string; role: 'viewer' | 'manager' }[]
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
