import { formatTimestamp } from '@plantroom/contract/timestamp'
import { MAX_ASKED_PER_HOUR, type Webhook, type WebhookEventType } from '@plantroom/contract/webhooks'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

const HOUR_MS = 3_600_000

interface NewWebhook {
  id: string
  organizationId: string
  url: string
  types: readonly WebhookEventType[]
  siteIds: readonly string[] | null
  secret: Buffer
}

type Changes = Partial<Pick<NewWebhook, 'url' | 'types' | 'siteIds'>> & { active?: boolean | undefined }

/** The webhooks of organizations. */
export function createWebhookStore(db: Db) {
  const ofOrganization = (organizationId: string) =>
    db.selectFrom('webhook').where('organization_id', '=', organizationId).select(COLUMNS)

  return {
    async list(organizationId: string, now: Date): Promise<Webhook[]> {
      const rows = await ofOrganization(organizationId).orderBy('created_at').orderBy('id').execute()
      return rows.map((row) => toWebhook(row, now))
    },

    async find(organizationId: string, id: string, now: Date): Promise<Webhook | undefined> {
      const row = await ofOrganization(organizationId).where('id', '=', id).executeTakeFirst()
      return row && toWebhook(row, now)
    },

    /** Locks the organization, so that two callers cannot both take the last place. */
    async count(organizationId: string): Promise<number | undefined> {
      const found = await db
        .selectFrom('organization')
        .where('id', '=', organizationId)
        .select('id')
        .forNoKeyUpdate()
        .executeTakeFirst()
      if (!found) return undefined
      const { count } = await db
        .selectFrom('webhook')
        .where('organization_id', '=', organizationId)
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    async add({ id, organizationId, url, types, siteIds, secret }: NewWebhook): Promise<void> {
      await db
        .insertInto('webhook')
        .values({
          id,
          organization_id: organizationId,
          url,
          types: [...types],
          site_ids: siteIds && [...siteIds],
          secret,
          previous_secret: null,
          previous_until: null,
          disabled_at: null,
          disabled_reason: null,
          failing_since: null,
          asked_until: null,
        })
        .execute()
    },

    /** Returns false when the organization has no such webhook. */
    async change(organizationId: string, id: string, changes: Changes, now: Date): Promise<boolean> {
      const { url, types, siteIds, active } = changes
      const { numUpdatedRows } = await db
        .updateTable('webhook')
        .set({
          // The id stays, so the statement is never empty.
          id,
          ...(url !== undefined && { url }),
          ...(types !== undefined && { types: [...types] }),
          ...(siteIds !== undefined && { site_ids: siteIds && [...siteIds] }),
          ...(active === true && { disabled_at: null, disabled_reason: null, failing_since: null }),
          ...(active === false && { disabled_at: now, disabled_reason: null }),
        })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async remove(organizationId: string, id: string): Promise<{ url: string } | undefined> {
      return db
        .deleteFrom('webhook')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .returning('url')
        .executeTakeFirst()
    },

    async rotate(
      organizationId: string,
      id: string,
      secret: Buffer,
      until: Date,
    ): Promise<{ url: string } | undefined> {
      return db
        .updateTable('webhook')
        .set(({ ref }) => ({ previous_secret: ref('secret'), secret, previous_until: until }))
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .returning('url')
        .executeTakeFirst()
    },

    /** Counts one test or repeated delivery. Returns how long to wait when the hour's share is used up; 0 when it is not. */
    async countAsked(organizationId: string, id: string, now: Date): Promise<number | undefined> {
      const hourLater = new Date(now.getTime() + HOUR_MS)
      const { rows } = await sql<{ asked: number; asked_until: Date }>`
        UPDATE webhook SET
          asked = CASE WHEN asked_until > ${now} THEN LEAST(asked + 1, ${MAX_ASKED_PER_HOUR + 1}::integer) ELSE 1 END,
          asked_until = CASE WHEN asked_until > ${now} THEN asked_until ELSE ${hourLater} END
        WHERE organization_id = ${organizationId} AND id = ${id}
        RETURNING asked, asked_until`.execute(db)
      const [row] = rows
      if (!row) return undefined
      return row.asked > MAX_ASKED_PER_HOUR ? Math.max(1000, row.asked_until.getTime() - now.getTime()) : 0
    },

    /** The sites among these that the organization has. */
    async ownSites(organizationId: string, siteIds: readonly string[]): Promise<number> {
      const { count } = await db
        .selectFrom('site')
        .where('organization_id', '=', organizationId)
        .where('id', 'in', ['', ...siteIds])
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },
  }
}

const COLUMNS = [
  ...(['id', 'url', 'types', 'site_ids', 'created_at', 'disabled_at', 'disabled_reason'] as const),
  ...(['failing_since', 'previous_until'] as const),
] as const

interface Row {
  id: string
  url: string
  types: WebhookEventType[]
  site_ids: string[] | null
  created_at: Date
  disabled_at: Date | null
  disabled_reason: string | null
  failing_since: Date | null
  previous_until: Date | null
}

function toWebhook(row: Row, now: Date): Webhook {
  const time = (date: Date | null) => date && formatTimestamp(date.getTime())
  return {
    id: row.id,
    url: row.url,
    types: row.types as Webhook['types'],
    siteIds: row.site_ids,
    state: row.disabled_at ? 'disabled' : 'active',
    disabledReason: row.disabled_at && row.disabled_reason,
    failingSince: time(row.failing_since),
    createdAt: formatTimestamp(row.created_at.getTime()),
    previousSecretUntil: time(row.previous_until && row.previous_until > now ? row.previous_until : null),
  }
}
