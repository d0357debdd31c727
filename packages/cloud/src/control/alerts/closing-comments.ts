import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Duty } from '../../platform/work/index.ts'
import { describeAlert } from './alert-mail.ts'
import { toAlert } from './alert-store.ts'

const LOOK_MS = 5_000
const BATCH = 100
/** Another change to one request must not delay the comments on others for longer. */
const LOCK_MS = 1_000

interface Deps {
  db: Db
  /** Adds a comment of the service to a maintenance request, if it is still there. */
  commentOnRequest(tx: Db, comment: { siteId: string; number: number; content: string }): Promise<void>
}

/**
 * Adds a comment to the request that was made of an alert when the alert has closed; a person closes the request. Done
 * later, because the process that closes alerts must not wait for the requests of all organizations.
 */
export const closingComments = (deps: Deps): Duty => ({
  name: 'closing-comments',
  everyMs: LOOK_MS,
  async run() {
    const due = await deps.db
      .selectFrom('alert')
      .where('is_comment_due', '=', true)
      .select('id')
      .orderBy('closed_at')
      .limit(BATCH)
      .execute()
    const failed: unknown[] = []
    for (const { id } of due) await addComment(deps, id).catch((error: unknown) => failed.push(error))
    if (failed.length > 0) throw failed[0]
    return due.length === BATCH ? 'more' : undefined
  },
})

function addComment({ db, commentOnRequest }: Deps, id: string): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await sql`SELECT set_config('lock_timeout', ${`${LOCK_MS}ms`}, true)`.execute(tx)
    const row = await tx
      .updateTable('alert')
      .where('id', '=', id)
      .where('is_comment_due', '=', true)
      .set({ is_comment_due: false })
      .returningAll()
      .executeTakeFirst()
    if (!row) return
    const alert = toAlert(row)
    const content = `The alert of this request is over: ${describeAlert(alert)} It lasted from ${alert.beganAt} until ${alert.closedAt}.`
    await commentOnRequest(tx, { siteId: alert.siteId, number: alert.requestNumber ?? 0, content })
  })
}
