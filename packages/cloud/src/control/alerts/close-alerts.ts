import type { Db } from '../../platform/db/database.ts'
import { describeAlert } from './alert-mail.ts'
import { createAlertStore } from './alert-store.ts'

/** Adds a comment of the service to a maintenance request, if it is still there. */
export type CommentOnRequest = (tx: Db, comment: { siteId: string; number: number; content: string }) => Promise<void>

/** Closes alerts. A request that was made of one gets a comment; a person closes it. */
export async function closeAlerts(
  tx: Db,
  closed: readonly { id: string; at: number }[],
  commentOnRequest: CommentOnRequest,
): Promise<void> {
  for (const alert of await createAlertStore(tx).close(closed)) {
    const { siteId, requestNumber: number, beganAt, closedAt } = alert
    if (number === null) continue
    const content = `The alert of this request is over: ${describeAlert(alert)} It lasted from ${beganAt} until ${closedAt}.`
    await commentOnRequest(tx, { siteId, number, content })
  }
}
