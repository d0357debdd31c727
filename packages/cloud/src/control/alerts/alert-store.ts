import { newId } from '@plantroom/base/ids'
import {
  ALERT_KINDS,
  type Alert,
  type AlertKind,
  type AlertRules,
  DEFAULT_ALERT_RULES,
} from '@plantroom/contract/alerts'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { queuePushes } from '../../organization/push/index.ts'
import { recordEvents } from '../../organization/webhooks/index.ts'
import type { AlertTables } from '../../platform/db/alert-tables.ts'
import type { Db } from '../../platform/db/database.ts'
import { givenRows, insertGiven } from '../../platform/db/given-rows.ts'
import { type PageQuery, readPage } from '../../platform/db/page.ts'
import type { Condition } from './conditions.ts'
import type { OpenAlert } from './decide.ts'

const HOUR_MS = 3_600_000
/** In an hour. */
const MAX_ALERTS_PER_DEVICE = 100

type Row = Selectable<AlertTables['alert']>

interface ListQuery extends PageQuery {
  organizationId: string
  /** `undefined` for all sites of the organization. */
  siteIds: readonly string[] | undefined
  open?: boolean | undefined
  kind?: AlertKind | undefined
  deviceId?: string | undefined
}

/** The number of open alerts of all organizations, for every kind. */
export async function countOpenAlerts(db: Db): Promise<{ kind: AlertKind; count: number }[]> {
  const { rows } = await sql<{ kind: string; count: number }>`
    SELECT kind, count(*)::integer AS count FROM alert WHERE closed_at IS NULL GROUP BY kind`.execute(db)
  const counts = new Map(rows.map(({ kind, count }) => [kind, count]))
  return ALERT_KINDS.map((kind) => ({ kind, count: counts.get(kind) ?? 0 }))
}

/** Alerts, and the rules by which they open and close. */
export function createAlertStore(db: Db) {
  return {
    /** Opens alerts and notifies webhooks and browsers, once for each trouble. */
    async open(found: readonly Condition[], now: Date): Promise<void> {
      if (found.length === 0) return
      const conditions = await withinShare(db, found, now)
      if (conditions.length === 0) return
      const { rows } = await sql<Row>`
        ${insertGiven('alert', { opened_at: now }, conditions, {
          id: ['text', () => newId('alert')],
          organization_id: 'text',
          site_id: 'text',
          device_id: 'text',
          device_name: 'text',
          kind: 'text',
          subject_kind: ['text', ({ subject }) => subject.kind],
          subject_id: ['text', ({ subject }) => subject.id],
          subject_name: ['text', ({ subject }) => subject.name],
          details: 'jsonb',
          began_at: ['timestamptz', ({ since }) => new Date(since)],
        })}
        ON CONFLICT DO NOTHING
        RETURNING *`.execute(db)
      await notifyWebhooks(db, 'alert.opened', rows)
      await notifyBrowsers(db, rows, now)
    },

    /** Describes alerts about automatic exports that are open as they are now: a target may fail for another reason. */
    async describeExports(found: readonly Condition[]): Promise<void> {
      if (found.length === 0) return
      await sql`
        UPDATE alert SET subject_name = given.name, details = given.details
        FROM ${givenRows(found, {
          id: ['text', ({ subject }) => subject.id],
          name: ['text', ({ subject }) => subject.name],
          details: 'jsonb',
        })}
        WHERE alert.kind = 'export-failed' AND alert.subject_id = given.id AND alert.closed_at IS NULL
          AND (alert.subject_name, alert.details) IS DISTINCT FROM (given.name, given.details)`.execute(db)
    },

    /** Closes alerts and notifies webhooks, once for each. Requests that were made of them get a comment later. */
    async close(closed: readonly { id: string; at: number }[]): Promise<void> {
      if (closed.length === 0) return
      const { rows } = await sql<Row>`
        UPDATE alert SET closed_at = given.at, clear_since = NULL, is_comment_due = request_number IS NOT NULL
        FROM ${givenRows(closed, { id: 'text', at: ['timestamptz', ({ at }) => new Date(at)] })}
        WHERE alert.id = given.id AND alert.closed_at IS NULL
        RETURNING alert.*`.execute(db)
      await notifyWebhooks(db, 'alert.closed', rows)
    },

    async setClear(ids: readonly string[], since: Date | null): Promise<void> {
      if (ids.length === 0) return
      await db.updateTable('alert').where('id', 'in', ids).set({ clear_since: since }).execute()
    },

    /** The open alerts of all organizations, or of one. */
    async allOpen(organizationId?: string): Promise<OpenAlert[]> {
      const rows = await db
        .selectFrom('alert')
        .where('closed_at', 'is', null)
        .$if(organizationId !== undefined, (open) => open.where('organization_id', '=', organizationId ?? ''))
        .selectAll()
        .execute()
      return rows.map((row) => ({
        id: row.id,
        kind: row.kind,
        organizationId: row.organization_id,
        deviceId: row.device_id,
        subject: { kind: row.subject_kind, id: row.subject_id, name: row.subject_name },
        beganAt: row.began_at.getTime(),
        openedAt: row.opened_at.getTime(),
        clearSince: row.clear_since?.getTime(),
      }))
    },

    /** The failed imports of a site that are open. */
    async openImports(siteId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('alert')
        .where('closed_at', 'is', null)
        .where('kind', '=', 'import-failed')
        .where('site_id', '=', siteId)
        .select('id')
        .execute()
      return rows.map(({ id }) => id)
    },

    /** Returns one page, newest first. */
    async list({ organizationId, siteIds, open, kind, deviceId, ...page }: ListQuery) {
      let rows = db.selectFrom('alert').where('organization_id', '=', organizationId)
      if (siteIds) rows = rows.where('site_id', 'in', ['', ...siteIds])
      if (open !== undefined) rows = rows.where('closed_at', open ? 'is' : 'is not', null)
      if (kind) rows = rows.where('kind', '=', kind)
      if (deviceId !== undefined) rows = rows.where('device_id', '=', deviceId)
      const { items, next } = await readPage(rows.selectAll(), page, { by: 'position', order: 'desc' }, toAlert)
      return { alerts: items, next }
    },

    /** The rules of organizations that have changed them. */
    async changedRules(): Promise<Map<string, AlertRules>> {
      const rows = await db.selectFrom('alert_rules').selectAll().execute()
      return new Map(rows.map(({ organization_id, document }) => [organization_id, withDefaults(document)]))
    },

    async rulesOf(organizationId: string): Promise<AlertRules> {
      const row = await db
        .selectFrom('alert_rules')
        .where('organization_id', '=', organizationId)
        .select('document')
        .executeTakeFirst()
      return row ? withDefaults(row.document) : DEFAULT_ALERT_RULES
    },

    async setRules(organizationId: string, rules: AlertRules): Promise<void> {
      const document = JSON.stringify(rules)
      await db
        .insertInto('alert_rules')
        .values({ organization_id: organizationId, document })
        .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ document }))
        .execute()
    },

    /** How many of these sites the organization has. */
    async ownSites(organizationId: string, siteIds: readonly string[]): Promise<number> {
      const { count } = await db
        .selectFrom('site')
        .where('organization_id', '=', organizationId)
        .where('id', 'in', ['', ...siteIds])
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    async removeClosedBefore(time: Date): Promise<void> {
      await db.deleteFrom('alert').where('closed_at', '<', time).execute()
    },
  }
}

/** Leaves out what a device reports beyond its share of an hour. A device that makes things up must not fill the disk. */
async function withinShare(db: Db, found: readonly Condition[], now: Date): Promise<Condition[]> {
  const ids = [...new Set(found.map(({ deviceId }) => deviceId).filter((id) => id !== null))]
  const { rows } = await sql<{ id: string; count: string }>`
    SELECT device_id AS id, count(*) FROM alert
    WHERE device_id = ANY (${ids}::text[]) AND opened_at > ${new Date(now.getTime() - HOUR_MS)}
    GROUP BY device_id`.execute(db)
  const opened = new Map(rows.map(({ id, count }) => [id, Number(count)]))
  return found.filter(({ kind, deviceId }) => {
    if (deviceId === null || kind === 'controller-offline') return true
    const count = (opened.get(deviceId) ?? 0) + 1
    opened.set(deviceId, count)
    return count <= MAX_ALERTS_PER_DEVICE
  })
}

function notifyWebhooks(db: Db, type: 'alert.opened' | 'alert.closed', rows: readonly Row[]): Promise<void> {
  return recordEvents(
    db,
    rows.map((row) => ({
      organizationId: row.organization_id,
      siteId: row.site_id,
      type,
      data: { organizationId: row.organization_id, ...toAlert(row) },
    })),
  )
}

async function notifyBrowsers(db: Db, rows: readonly Row[], now: Date): Promise<void> {
  if (rows.length === 0) return
  const siteIds = [...new Set(rows.map(({ site_id }) => site_id))]
  const sites = await db.selectFrom('site').where('id', 'in', siteIds).select(['id', 'name']).execute()
  const names = new Map(sites.map(({ id, name }) => [id, name]))
  for (const [organizationId, own] of Map.groupBy(rows, (row) => row.organization_id)) {
    const opened = own.map((row) => ({ ...toAlert(row), siteName: names.get(row.site_id) ?? '' }))
    await queuePushes(db, organizationId, opened, now)
  }
}

export function toAlert(row: Row): Alert {
  return {
    id: row.id,
    kind: row.kind,
    siteId: row.site_id,
    deviceId: row.device_id,
    deviceName: row.device_name,
    subject: { kind: row.subject_kind, id: row.subject_id, name: row.subject_name },
    details: row.details,
    beganAt: formatTimestamp(row.began_at.getTime()),
    openedAt: formatTimestamp(row.opened_at.getTime()),
    closedAt: timeOf(row.closed_at),
    acknowledgedAt: timeOf(row.acknowledged_at),
    acknowledgedBy: row.acknowledged_by,
    assignee: row.assignee,
    snoozedUntil: timeOf(row.snoozed_until),
    requestNumber: row.request_number,
  }
}

const timeOf = (at: Date | null) => at && formatTimestamp(at.getTime())

/** Rules that were stored before a kind existed lack it. */
function withDefaults({ rules, recipients }: AlertRules): AlertRules {
  return { rules: { ...DEFAULT_ALERT_RULES.rules, ...rules }, recipients }
}
