import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

const HOUR_MS = 3_600_000

/** A code, with the token that is in its address. */
export interface StoredCode {
  id: string
  token: string
  label: string
  unit: string | null
  createdAt: Date
}

/** What a form is about. */
export interface FormSubject {
  codeId: string
  organizationId: string
  siteId: string
  site: string
  label: string
  unit: string | null
}

/** Codes that lead to a form for people without an account. */
export function createCodeStore(db: Db) {
  const withUnit = db.selectFrom('request_code as code').leftJoin('unit', 'unit.id', 'code.unit_id')
  return {
    async list(siteId: string): Promise<StoredCode[]> {
      return withUnit
        .where('code.site_id', '=', siteId)
        .select(['code.id', 'code.token', 'code.label', 'unit.name as unit', 'code.created_at as createdAt'])
        .orderBy('code.created_at')
        .orderBy('code.id')
        .execute()
    },

    /** Rejects with `invalid` when the site lacks the unit. */
    async add(siteId: string, code: StoredCode): Promise<void> {
      const { id, token, label, unit, createdAt } = code
      const found = await db
        .selectFrom('unit')
        .where('site_id', '=', siteId)
        .where('name', '=', unit ?? '')
        .select('id')
        .executeTakeFirst()
      if (unit !== null && !found) throw new Failure('invalid', `unit: this site has no unit ${shown(unit)}`, 'unit')
      await db
        .insertInto('request_code')
        .values({
          ...{ id, token, site_id: siteId, unit_id: found?.id ?? null, label },
          ...{ created_at: createdAt, hour_began_at: createdAt },
        })
        .execute()
    },

    async remove(siteId: string, id: string): Promise<{ label: string } | undefined> {
      return db
        .deleteFrom('request_code')
        .where('site_id', '=', siteId)
        .where('id', '=', id)
        .returning('label')
        .executeTakeFirst()
    },

    /** Resolves with `undefined` when there is no such code, or its site has turned maintenance requests off. */
    async find(token: string): Promise<FormSubject | undefined> {
      return withUnit
        .innerJoin('site', 'site.id', 'code.site_id')
        .where('code.token', '=', token)
        .where('site.maintenance_requests', '=', true)
        .select([
          'code.id as codeId',
          'site.organization_id as organizationId',
          'site.id as siteId',
          'site.name as site',
          'code.label',
          'unit.name as unit',
        ])
        .executeTakeFirst()
    },

    /** Counts a request. Resolves with how long to wait when the code has sent `most` in this hour. */
    async count(codeId: string, most: number, now: Date): Promise<{ retryAfterMs: number } | undefined> {
      const hourAgo = new Date(now.getTime() - HOUR_MS)
      const { rows } = await sql<{ began: Date; sent: number }>`
        UPDATE request_code SET
          sent_in_hour = CASE WHEN hour_began_at <= ${hourAgo} THEN 1 ELSE least(sent_in_hour, ${most}) + 1 END,
          hour_began_at = CASE WHEN hour_began_at <= ${hourAgo} THEN ${now} ELSE hour_began_at END
        WHERE id = ${codeId} RETURNING hour_began_at AS began, sent_in_hour AS sent`.execute(db)
      const [row] = rows
      if (!row || row.sent <= most) return undefined
      return { retryAfterMs: row.began.getTime() + HOUR_MS - now.getTime() }
    },
  }
}
