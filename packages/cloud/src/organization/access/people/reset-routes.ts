import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { foldEmail } from '@plantroom/contract/fold-email'
import type { FastifyInstance } from 'fastify'
import { addRoute, callerNetwork } from '../../../platform/routes/index.ts'
import { type ActingParty, type ActivityLog, organizationsOf } from '../../activity/index.ts'
import { countUse, type QuotaStore } from '../quota-store.ts'
import { hashSecret, makeToken } from '../secrets.ts'
import type { AccountMailer } from './account-mailer.ts'
import { createLinkStore } from './link-store.ts'

const HOUR_MS = 3_600_000
const PER_ACCOUNT = 3
/** Everyone in an office shares one address. */
const PER_ADDRESS = 100

interface ResetRouteDeps {
  activity: ActivityLog
  quotas: Pick<QuotaStore, 'count'>
  mailer: AccountMailer | undefined
  clock: Clock
  log: Log
  baseUrl(): string
}

/** Mails a link to people who forgot their password. The answer never reveals whether the account exists. */
export function resetRoutes(app: FastifyInstance, deps: ResetRouteDeps): void {
  const { activity, quotas, mailer, clock, log, baseUrl } = deps

  async function sendLink(email: string, network: string, caller: { actor: ActingParty }): Promise<void> {
    const limits = [
      { subject: ['reset-from', network], limit: PER_ADDRESS, periodMs: HOUR_MS },
      { subject: ['reset-of', email], limit: PER_ACCOUNT, periodMs: HOUR_MS },
    ]
    for (const limit of limits) if ((await countUse(quotas, clock, limit)) > 0) return
    const token = makeToken()
    const mail = { to: email, link: `${baseUrl()}/welcome#${token}`, expiresIn: '1 hour' }
    const link = { hash: hashSecret(token), expiresAt: new Date(clock.now() + HOUR_MS), mailed: true }
    await activity.change(caller, async (tx, note) => {
      const userId = await createLinkStore(tx).addReset(email, link, async (tx) => mailer?.resetPassword(tx, mail))
      if (userId === undefined) return
      note({
        organizationId: await organizationsOf(tx, userId),
        action: 'password-reset-requested',
        subject: { kind: 'person', id: userId, name: email },
      })
    })
  }

  addRoute(app, API.resetPassword, async (request) => {
    if (!mailer) {
      throw new Failure('conflict', 'this service sends no mail: ask an administrator of your organization for a link')
    }
    const email = foldEmail(request.body.email.trim())
    // Not awaited, so that the time of the answer does not reveal whether the account exists.
    const { actor } = request
    sendLink(email, callerNetwork(request.ip, request.socket.remoteAddress), { actor }).catch((error: Error) =>
      log.error({ error: error.message }, 'could not queue a mail to reset a password'),
    )
    return {
      message: `if there is an account with this address, it gets a mail with a link that works for an hour; at most ${PER_ACCOUNT} an hour are sent`,
    }
  })
}
