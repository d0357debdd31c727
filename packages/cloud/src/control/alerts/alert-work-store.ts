import type { Alert, AlertStep } from '@plantroom/contract/alerts'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { membersOf } from '../../organization/access/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { toAlert } from './alert-store.ts'

/** More steps than a person reads or takes. */
const MAX_STEPS = 1_000

export interface AlertPlace {
  organizationId: string
  siteId: string
  alertId: string
}

/** When something is done, and the name of who does it. */
export interface DoneBy {
  at: Date
  by: string
}

/** What a person changes. `undefined` leaves it as it is. */
export interface AlertChange {
  acknowledged?: boolean | undefined
  assignee?: string | null | undefined
  snoozedUntil?: Date | null | undefined
  note?: string | undefined
}

/** What people do about alerts. */
export function createAlertWorkStore(db: Db) {
  const rowOf = ({ organizationId, siteId, alertId }: AlertPlace) =>
    db
      .selectFrom('alert')
      .where('id', '=', alertId)
      .where('site_id', '=', siteId)
      .where('organization_id', '=', organizationId)
      .selectAll()

  async function find(place: AlertPlace): Promise<Alert> {
    const row = await rowOf(place).executeTakeFirst()
    if (!row) throw noAlert(place)
    return toAlert(row)
  }

  return {
    async show(place: AlertPlace): Promise<{ alert: Alert; steps: AlertStep[]; assignable: string[] }> {
      const alert = await find(place)
      const rows = await db
        .selectFrom('alert_step')
        .where('alert_id', '=', place.alertId)
        .selectAll()
        .orderBy('position', 'desc')
        .limit(MAX_STEPS)
        .execute()
      const steps = rows
        .reverse()
        .map(({ at, by_name, step, text }) => ({ at: formatTimestamp(at.getTime()), by: by_name, step, text }))
      return { alert, steps, assignable: await assignable(db, place.siteId) }
    },

    /** Changes an alert and returns the steps that this took. A change to what it is already takes none. */
    async change(place: AlertPlace, change: AlertChange, done: DoneBy): Promise<AlertStep['step'][]> {
      const before = await rowOf(place).forUpdate().executeTakeFirst()
      if (!before) throw noAlert(place)
      const { assignee } = change
      if (typeof assignee === 'string' && !(await assignable(db, place.siteId)).includes(assignee)) {
        throw new Failure(
          'invalid',
          `assignee: no member with the email ${shown(assignee)} has a role on this site`,
          'assignee',
        )
      }
      const steps = stepsOf(toAlert(before), change)
      if (steps.length === 0) return []
      await refuseTooMany(db, place.alertId, steps)
      const columns = {
        ...(change.acknowledged !== undefined && {
          acknowledged_at: change.acknowledged ? (before.acknowledged_at ?? done.at) : null,
          acknowledged_by: change.acknowledged ? (before.acknowledged_by ?? done.by) : null,
        }),
        ...(assignee !== undefined && { assignee }),
        ...(change.snoozedUntil !== undefined && { snoozed_until: change.snoozedUntil }),
      }
      // A note alone changes none.
      if (Object.keys(columns).length > 0) {
        await db.updateTable('alert').where('id', '=', place.alertId).set(columns).execute()
      }
      await addSteps(db, place.alertId, steps, done)
      return steps.map(({ step }) => step)
    },

    /** Shows a new request with the alert that it is about. */
    async linkRequest(place: AlertPlace, number: number, done: DoneBy): Promise<void> {
      const { requestNumber } = await find(place)
      if (requestNumber !== null) {
        throw new Failure(
          'conflict',
          `this alert has request #${requestNumber} already: add a comment to it`,
          'alertId',
        )
      }
      await db.updateTable('alert').where('id', '=', place.alertId).set({ request_number: number }).execute()
      await addSteps(db, place.alertId, [{ step: 'request-made', text: String(number) }], done)
    },
  }
}

type Step = Pick<AlertStep, 'step' | 'text'>

function stepsOf(before: Alert, { acknowledged, assignee, snoozedUntil, note }: AlertChange): Step[] {
  const steps: Step[] = []
  if (acknowledged !== undefined && acknowledged !== (before.acknowledgedAt !== null)) {
    steps.push({ step: acknowledged ? 'acknowledged' : 'reopened', text: null })
  }
  if (assignee !== undefined && assignee !== before.assignee) {
    steps.push({ step: assignee === null ? 'unassigned' : 'assigned', text: assignee })
  }
  const until = snoozedUntil && formatTimestamp(snoozedUntil.getTime())
  if (until !== undefined && until !== before.snoozedUntil) {
    steps.push({ step: until === null ? 'awoken' : 'snoozed', text: until })
  }
  if (note !== undefined) steps.push({ step: 'noted', text: note })
  return steps
}

async function refuseTooMany(db: Db, alertId: string, steps: readonly Step[]): Promise<void> {
  const { count } = await db
    .selectFrom('alert_step')
    .where('alert_id', '=', alertId)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) + steps.length <= MAX_STEPS) return
  throw new Failure(
    'conflict',
    `this alert has ${count} of at most ${MAX_STEPS} steps: make a request of it, and go on there`,
  )
}

async function addSteps(db: Db, alertId: string, steps: readonly Step[], { at, by }: DoneBy): Promise<void> {
  const rows = steps.map(({ step, text }) => ({ alert_id: alertId, at, by_name: by, step, text }))
  await db.insertInto('alert_step').values(rows).execute()
}

async function assignable(db: Db, siteId: string): Promise<string[]> {
  const { rows } = await membersOf(siteId).execute(db)
  return rows.map(({ email }) => email).sort()
}

const noAlert = ({ alertId }: AlertPlace) => new Failure('notFound', `this site has no alert ${shown(alertId)}`)
