import type { Clock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { Failure } from '@plantroom/contract/failure'
import type { MemberRoles } from '@plantroom/contract/roles'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import { explainConflicts } from '../db/conflicts.ts'
import { STORABLE } from '../db/storable.ts'
import { hashSecret } from './api-key.ts'
import type { MemberStore, NewLink } from './member-store.ts'
import { makeToken } from './session-cookie.ts'
import { email, invitedMember, member, memberRoles } from './sign-in-schemas.ts'

const MEMBERS = '/api/orgs/:orgId/members'
const ONE = `${MEMBERS}/:userId`
const LINK_MS = 7 * 86_400_000

const tags = ['Administration']
const config = { access: { by: 'operator', role: 'admin' } } as const
const id = { type: 'string', maxLength: 255, pattern: STORABLE } as const
const params = { type: 'object', properties: { orgId: id, userId: id } } as const

interface OfMember {
  Params: { orgId: string; userId: string }
}

export interface MemberRouteDeps {
  store: MemberStore
  clock: Clock
  /** Where people open the console. */
  baseUrl(): string
}

/** The people of an organization and what they may do there, for its administrators. */
export function memberRoutes(app: FastifyInstance, deps: MemberRouteDeps): void {
  const { store, clock, baseUrl } = deps

  function makeLink(): { link: string; kept: NewLink } {
    const token = makeToken()
    // Behind a #, which browsers send to nobody: it is in no log.
    const link = `${baseUrl()}/welcome#${token}`
    return { link, kept: { hash: hashSecret(token), expiresAt: new Date(clock.now() + LINK_MS) } }
  }

  app.get<{ Params: { orgId: string } }>(
    MEMBERS,
    {
      config,
      schema: {
        tags,
        summary: 'List the people of an organization by address, with what they may do',
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
        summary: 'Add a person to an organization; somebody new sets their password with the link in the answer',
        params: { type: 'object', properties: { orgId: id } },
        body: { type: 'object', required: ['email'], properties: { email, ...memberRoles } },
        response: { 201: invitedMember },
      },
    },
    async (request, reply) => {
      const { orgId } = request.params
      const email = request.body.email.toLowerCase()
      const roles = readRoles(request.body)
      const { link, kept } = makeLink()
      const { member, hasLink } = await explainConflicts(
        store.add(orgId, { id: newId('usr'), email, roles }, kept),
        conflicts(email),
      )
      return reply.code(201).send({ ...member, link: hasLink ? link : null })
    },
  )

  app.patch<OfMember & { Body: GivenRoles }>(
    ONE,
    {
      config,
      schema: {
        tags,
        summary: 'Change what a person may do in an organization, at once',
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

  app.delete<OfMember>(
    ONE,
    {
      config,
      schema: {
        tags,
        summary: 'Remove a person from an organization, at once',
        params,
        response: { 204: { type: 'null' } },
      },
    },
    async (request, reply) => {
      await store.remove(request.params.orgId, request.params.userId)
      return reply.code(204).send()
    },
  )

  app.post<OfMember>(
    `${ONE}/link`,
    {
      config,
      schema: {
        tags,
        summary: 'A new link to set a password, for someone who lost theirs; the link before ends',
        params,
        response: { 200: invitedMember },
      },
    },
    async (request) => {
      const { orgId, userId } = request.params
      const { link, kept } = makeLink()
      const byOperator = request.userId === undefined
      return { ...(await store.renewLink(orgId, userId, kept, { byOperator })), link }
    },
  )
}

interface GivenRoles {
  role?: 'admin'
  sites?: { siteId: string; role: 'viewer' | 'manager' }[]
}

function readRoles({ role, sites }: GivenRoles): MemberRoles {
  if (role !== undefined && sites !== undefined) {
    throw new Failure('invalid', 'say role or sites, not both: an administrator has every site', 'sites')
  }
  if (role !== undefined) return { role }
  if (sites === undefined) throw new Failure('invalid', 'say role or sites', 'body')
  if (new Set(sites.map(({ siteId }) => siteId)).size < sites.length) {
    throw new Failure('invalid', 'sites names a site twice', 'sites')
  }
  return { sites }
}

const conflicts = (email = 'this person') => ({
  membership_organization_id_site_id_fkey: new Failure(
    'invalid',
    'sites names a site that this organization does not have',
    'sites',
  ),
  user_account_email_key: new Failure('conflict', `${shown(email)} was added at this very moment: try again`),
})
