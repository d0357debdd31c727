import type { DeviceTasks } from '../control/devices/index.ts'
import { OPENADR_CLEANUPS, OPENADR_PROGRAMS, OPENADR_REPORTS } from '../control/openadr/index.ts'
import { EXPORT_DELIVERIES } from '../maintenance/automatic-exports/index.ts'
import { PUSH_MESSAGES } from '../organization/push/index.ts'
import { WEBHOOK_DELIVERIES } from '../organization/webhooks/index.ts'
import type { Db } from '../platform/db/database.ts'
import { mailRows } from '../platform/mail/index.ts'
import { DUTIES, longestWait } from '../platform/work/index.ts'

/**
 * How long each kind of work has waited for a worker, or for this process. Without a mail server, mail is not counted: it
 * is not due to be sent.
 */
export function workWaits(
  db: Db,
  { sendsMail, tasks }: { sendsMail: boolean; tasks: Pick<DeviceTasks, 'longestWait'> },
) {
  const kinds = [
    { kind: 'webhook-delivery', wait: longestWait(db, WEBHOOK_DELIVERIES) },
    { kind: 'openadr-poll', wait: longestWait(db, OPENADR_PROGRAMS) },
    { kind: 'openadr-report', wait: longestWait(db, OPENADR_REPORTS) },
    { kind: 'openadr-cleanup', wait: longestWait(db, OPENADR_CLEANUPS) },
    { kind: 'push', wait: longestWait(db, PUSH_MESSAGES) },
    { kind: 'export-delivery', wait: longestWait(db, EXPORT_DELIVERIES) },
    ...(sendsMail ? [{ kind: 'mail', wait: longestWait(db, mailRows(Number.MAX_SAFE_INTEGER)) }] : []),
    { kind: 'duty', wait: longestWait(db, DUTIES) },
    { kind: 'device-task', wait: tasks.longestWait() },
  ]
  return Promise.all(kinds.map(async ({ kind, wait }) => ({ kind, seconds: await wait })))
}
