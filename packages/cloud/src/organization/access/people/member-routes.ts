import type { Clock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { foldEmail } from '@plantroom/contract/fold-email'
import type { Member, MemberRoles, RolesOnSites } from '@plantroom/contract/roles'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { explainConflicts } from '../../../platform/db/database.ts'
import { addRoute } from '../../../platform/routes/index.ts'
import type { ActivityLog } from '../../activity/index.ts'
import { countUse, type QuotaStore } from '../quota-store.ts'
import { hashSecret, makeToken } from '../secrets.ts'
import type { AccountMailer } from './account-mailer.ts'
import { createMemberStore, type MailLink, type MemberStore } from './member-store.ts'

const HOUR_MS = 3_600_000
const LINK_MS = 7 * 24 * HOUR_MS
/** Of one organization, because anyone can be invited. */
const MAILS_PER_HOUR = 100

interface MemberRouteDeps {
  store: Pick<MemberStore, 'list'>
  activity: ActivityLog
  quotas: QuotaStore
  /** `undefined` where the service sends no mail: the administrator hands over the link. */
  mailer: AccountMailer | undefined
  clock: Clock
  /** The address of the console. */
  baseUrl(): string
}

/** Lists, adds, changes and removes the members of an organization, for its administrators. */
export function memberRoutes(app: FastifyInstance, deps: MemberRouteDeps): void {
  const { store, activity, quotas, mailer, clock, baseUrl } = deps

  async function makeLink(orgId: string, reply: FastifyReply) {
    if (mailer) {
      const quota = { subject: ['invitation-mail', orgId], limit: MAILS_PER_HOUR, periodMs: HOUR_MS }
      const waitMs = await countUse(quotas, clock, quota)
      if (waitMs > 0) throw tooManyMails(reply, waitMs)
    }
    const token = makeToken()
    // Browsers do not send the part after #, so no log contains the token.
    const link = `${baseUrl()}/welcome#${token}`
    const expiresAt = new Date(clock.now() + LINK_MS)
    const mail: MailLink | undefined =
      mailer &&
      ((tx, { email: to, organization, invited }) =>
        invited
          ? mailer.invite(tx, { to, organization, link })
          : mailer.resetPassword(tx, { to, link, expiresIn: '7 days' }))
    const shown = mailer ? { link: null, mailed: true } : { link, mailed: false }
    return { shown, stored: { hash: hashSecret(token), expiresAt, mailed: mailer !== undefined, mail } }
  }

  addRoute(app, API.listMembers, async (request) => ({ members: await store.list(request.params.orgId) }))

  addRoute(app, API.addMember, async (request, reply) => {
    const { orgId } = request.params
    const email = foldEmail(request.body.email)
    const roles = readRoles(request.body)
    const { shown, stored } = await makeLink(orgId, reply)
    const added = activity.change(request, async (tx, note) => {
      const member = await createMemberStore(tx).add(orgId, { id: newId('usr'), email, roles }, stored)
      note({ organizationId: orgId, action: 'member-invited', subject: subjectOf(member), details: rolesOf(member) })
      return member
    })
    return { ...(await explainConflicts(added, conflicts(email))), ...shown }
  })

  addRoute(app, API.changeMember, async (request) => {
    const { orgId, userId } = request.params
    const roles = readRoles(request.body)
    const changed = activity.change(request, async (tx, note) => {
      const member = await createMemberStore(tx).change(orgId, userId, roles)
      note({ organizationId: orgId, action: 'role-changed', subject: subjectOf(member), details: rolesOf(member) })
      return member
    })
    return explainConflicts(changed, conflicts())
  })

  addRoute(app, API.removeMember, async (request) => {
    const { orgId, userId } = request.params
    await activity.change(request, async (tx, note) => {
      const member = await createMemberStore(tx).remove(orgId, userId)
      note({ organizationId: orgId, action: 'member-removed', subject: subjectOf(member) })
    })
  })

  addRoute(app, API.renewMemberLink, async (request, reply) => {
    const { orgId, userId } = request.params
    const { shown, stored } = await makeLink(orgId, reply)
    const byOperator = request.userId === undefined
    const member = await activity.change(request, async (tx, note) => {
      const found = await createMemberStore(tx).renewLink(orgId, userId, stored, { byOperator })
      const details = { mailed: shown.mailed, purpose: found.invited ? 'invitation' : 'password' }
      note({ organizationId: orgId, action: 'member-link-made', subject: subjectOf(found), details })
      return found
    })
    return { ...member, ...shown }
  })

  addRoute(app, API.resetMemberFactors, async (request) => {
    const { orgId, userId } = request.params
    const options = { byOperator: request.userId === undefined, mail: mailer?.factorsRemoved }
    await activity.change(request, async (tx, note) => {
      const member = await createMemberStore(tx).resetFactors(orgId, userId, options)
      note({ organizationId: orgId, action: 'factors-reset', subject: subjectOf(member) })
    })
  })
}

const subjectOf = ({ userId, email }: Member) => ({ kind: 'person', id: userId, name: email }) as const

/** Short, however many sites there are. */
function rolesOf({ role, allSites, tags, sites }: Member): Record<string, unknown> {
  if (role !== null) return { role }
  const roles = [...new Set([...(allSites ? [allSites] : []), ...[...tags, ...sites].map((each) => each.role)])]
  return {
    roles,
    ...(allSites && { allSites }),
    ...(tags.length > 0 && { tags: tags.length <= 10 ? tags.map(({ tag }) => tag) : tags.length }),
    sites: sites.length,
    ...(sites.length <= 10 && { siteIds: sites.map(({ siteId }) => siteId) }),
  }
}

interface GivenRoles extends RolesOnSites {
  role?: 'admin'
}

function readRoles({ role, ...onSites }: GivenRoles): MemberRoles {
  const { allSites, tags, sites } = onSites
  const [given] = (['sites', 'tags', 'allSites'] as const).filter((name) => onSites[name] !== undefined)
  if (role !== undefined) {
    if (!given) return { role }
    throw new Failure('invalid', `send role or ${given}, not both: an administrator has access to every site`, given)
  }
  if (!given) throw new Failure('invalid', 'send role, allSites, tags or sites', 'body')
  requireOnce(
    'sites',
    'site',
    sites?.map(({ siteId }) => siteId),
  )
  requireOnce(
    'tags',
    'tag',
    tags?.map(({ tag }) => tag),
  )
  return { allSites, tags, sites }
}

function requireOnce(field: string, what: string, names: readonly string[] = []): void {
  if (new Set(names).size < names.length) throw new Failure('invalid', `${field} contains a ${what} twice`, field)
}

function tooManyMails(reply: FastifyReply, waitMs: number): Failure {
  const seconds = Math.ceil(waitMs / 1000)
  void reply.header('retry-after', seconds)
  const minutes = Math.ceil(seconds / 60)
  return new Failure(
    'tooMany',
    `this organization has sent ${MAILS_PER_HOUR} invitations in an hour, which is the limit: try again in ${minutes} min`,
  )
}

const unknownSite = () => new Failure('invalid', 'sites contains a site that this organization does not have', 'sites')

const conflicts = (email = 'this person') => ({
  membership_organization_id_site_id_fkey: unknownSite(),
  pending_membership_organization_id_site_id_fkey: unknownSite(),
  user_account_email_key: new Failure('conflict', `${shown(email)} was added by another request: try again`),
})
