import { newId } from '@plantroom/base/ids'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { givenRows } from '../../platform/db/given-rows.ts'
import { type Lease, type LeasedRows, settle } from '../../platform/work/index.ts'
import { siteRoles } from '../access/index.ts'
import type { BrowserKeys } from './encrypt-push.ts'

/** More than a person has browsers. The oldest goes first. */
const MAX_PER_PERSON = 20

/** The messages that wait. They are deleted when they are sent. */
export const PUSH_MESSAGES: LeasedRows<'push_message', 'id'> = {
  table: 'push_message',
  key: ['id'],
  waiting: sql`true`,
}

interface LeasedMessage extends Lease<'id'>, BrowserKeys {
  subscriptionId: string
  endpoint: string
  payload: string
}

export type PushStore = ReturnType<typeof createPushStore>

/** The browsers of people who want notifications, and messages to them. */
export function createPushStore(db: Db) {
  return {
    async subscribe(
      of: { userId: string; sessionId: string; endpoint: string; at: Date },
      { p256dh, auth }: BrowserKeys,
    ): Promise<void> {
      const own = { user_id: of.userId, session_id: of.sessionId, p256dh, auth, created_at: of.at }
      await db
        .insertInto('push_subscription')
        .values({ id: newId('push'), endpoint: of.endpoint, ...own })
        .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(own))
        .execute()
      await sql`
        DELETE FROM push_subscription WHERE user_id = ${of.userId} AND id NOT IN (
          SELECT id FROM push_subscription WHERE user_id = ${of.userId} ORDER BY created_at DESC LIMIT ${MAX_PER_PERSON}
        )`.execute(db)
    },

    async unsubscribe(userId: string, endpoint: string): Promise<void> {
      await db.deleteFrom('push_subscription').where('user_id', '=', userId).where('endpoint', '=', endpoint).execute()
    },

    /** The browsers of members of an organization whose session is open, with the sites that each may see. */
    async browsersOf(organizationId: string, siteIds: readonly string[], now: Date): Promise<PushTarget[]> {
      const { rows } = await sql<PushTarget>`
        SELECT push.id, array_agg(DISTINCT site.id) AS "siteIds"
        FROM push_subscription AS push
        JOIN user_session AS session ON session.id = push.session_id AND session.expires_at > ${now}
        JOIN ${siteRoles(sql`membership.organization_id = ${organizationId}`)} AS granted ON granted.user_id = push.user_id
        JOIN site ON site.id = ANY(${siteIds}::text[]) AND site.organization_id = ${organizationId}
          AND (granted.site_id = site.id OR granted.site_id IS NULL)
        GROUP BY push.id`.execute(db)
      return rows
    },

    async queue(
      organizationId: string,
      messages: readonly { to: string; payload: string }[],
      now: Date,
    ): Promise<void> {
      if (messages.length === 0) return
      await sql`
        INSERT INTO push_message (id, organization_id, subscription_id, payload, due_at)
        SELECT given.id, ${organizationId}, given.subscription, given.payload, ${now}
        FROM ${givenRows(messages, {
          id: ['text', () => newId('message')],
          subscription: ['text', ({ to }) => to],
          payload: 'text',
        })}`.execute(db)
    },

    /** Resolves with `undefined` when the browser no longer wants it. */
    async open(lease: Lease<'id'>): Promise<LeasedMessage | undefined> {
      const row = await db
        .selectFrom('push_message as message')
        .innerJoin('push_subscription as push', 'push.id', 'message.subscription_id')
        .where('message.id', '=', lease.id)
        .select(['push.id as subscriptionId', 'push.endpoint', 'push.p256dh', 'push.auth', 'message.payload'])
        .executeTakeFirst()
      return row && { ...lease, ...row }
    },

    async remove({ id, claim }: Lease<'id'>): Promise<void> {
      await db.deleteFrom('push_message').where('id', '=', id).where('claim', '=', claim).execute()
    },

    /** The push service says that the browser is gone. */
    async forget(subscriptionId: string): Promise<void> {
      await db.deleteFrom('push_subscription').where('id', '=', subscriptionId).execute()
    },

    postpone: (lease: Lease<'id'>, until: Date) => settle(db, PUSH_MESSAGES, lease, { due_at: until }),
  }
}

/** A browser, and those of the given sites that its person may see. */
export interface PushTarget {
  id: string
  siteIds: readonly string[]
}
