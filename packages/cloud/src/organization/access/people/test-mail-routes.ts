import type { Clock } from '@plantroom/base/clock'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../../platform/db/database.ts'
import { addRoute } from '../../../platform/routes/index.ts'
import type { ActivityLog } from '../../activity/index.ts'
import { countUse, type QuotaStore } from '../quota-store.ts'
import type { AccountMailer } from './account-mailer.ts'

const HOUR_MS = 3_600_000
const PER_ORGANIZATION = 5

/** Sends a test mail through the queue that all mail takes. People send it to themselves, so that nobody else gets it. */
export function testMailRoutes(
  app: FastifyInstance,
  deps: { activity: ActivityLog; quotas: QuotaStore; mailer: AccountMailer | undefined; clock: Clock },
): void {
  const { activity, quotas, mailer, clock } = deps

  addRoute(app, API.sendTestMail, async (request, reply) => {
    const { orgId } = request.params
    const { siteId } = request.body
    const to = recipientOf(request.email, request.body.to)
    if (!mailer) {
      throw new Failure(
        'conflict',
        'this service sends no mail: the operator sets SMTP_URL and restarts the cloud and the worker',
      )
    }
    const quota = { subject: ['test-mail', orgId], limit: PER_ORGANIZATION, periodMs: HOUR_MS }
    const waitMs = await countUse(quotas, clock, quota)
    if (waitMs > 0) {
      void reply.header('retry-after', Math.ceil(waitMs / 1000))
      throw new Failure(
        'tooMany',
        `this organization has sent ${PER_ORGANIZATION} test mails in an hour, which is the limit: try again in ${Math.ceil(waitMs / 60_000)} min`,
      )
    }
    return activity.change(request, async (tx, note) => {
      const organization = await nameOf(tx, orgId, siteId)
      const mailId = await mailer.test(tx, { to, organizationId: orgId, organization, siteId: siteId ?? null })
      const subject = { kind: 'organization', id: orgId, name: organization } as const
      note({ organizationId: orgId, ...(siteId && { siteId }), action: 'mail-tested', subject, details: { to } })
      return { recipient: to, mailId, siteId: siteId ?? null }
    })
  })
}

/** A person's own address. The operator has none, and gives one. */
function recipientOf(own: string | undefined, given: string | undefined): string {
  if (own !== undefined && given !== undefined && given !== own) {
    throw new Failure('invalid', 'you can send a test mail only to your own address: leave out to', 'to')
  }
  const to = own ?? given
  if (to === undefined) throw new Failure('invalid', 'send the address of the recipient in to', 'to')
  return to
}

/** Returns the name of the organization. Throws when it does not have the site. */
async function nameOf(tx: Db, organizationId: string, siteId: string | undefined): Promise<string> {
  const organization = await tx
    .selectFrom('organization')
    .where('id', '=', organizationId)
    .select('name')
    .executeTakeFirst()
  if (!organization) throw new Failure('notFound', `there is no organization ${shown(organizationId)}`)
  if (siteId === undefined) return organization.name
  const site = tx.selectFrom('site').where('organization_id', '=', organizationId).where('id', '=', siteId)
  if (await site.select('id').executeTakeFirst()) return organization.name
  throw new Failure('invalid', `this organization has no site ${shown(siteId)}`, 'siteId')
}
