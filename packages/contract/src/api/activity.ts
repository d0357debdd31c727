import { ActivityEntry, ActivityFilters } from '../activity.ts'
import { AuditKey } from '../audit-head.ts'
import { nextCursor, paging } from '../fields.ts'
import { route } from '../route.ts'
import { array, defaulted, object, oneOf } from '../schema.ts'

const tag = 'History'

const query = object({
  ...ActivityFilters.properties,
  format: defaulted(
    oneOf(['json', 'csv', 'chain'], {
      description: 'json comes by pages, csv whole, chain whole and as it was signed, without filters',
    }),
    'json',
  ),
  ...paging({ most: 1000, default: 100 }),
})
const reply = object({ entries: array(ActivityEntry), nextCursor })

/** Who did what in the cloud. */
export const activityRoutes = {
  listActivity: route({
    method: 'GET',
    path: '/api/orgs/:orgId/activity',
    access: { by: 'operator', role: 'admin' },
    tag,
    summary: 'List who did what in an organization, the newest first, by pages',
    query,
    reply,
    alsoAs: 'text/csv',
  }),
  listServiceActivity: route({
    method: 'GET',
    path: '/api/activity',
    access: { by: 'operator' },
    tag,
    summary: 'List what belongs to no organization, such as refused strangers, the newest first, by pages',
    query,
    reply,
    alsoAs: 'text/csv',
  }),
  getAuditKey: route({
    method: 'GET',
    path: '/api/audit-key',
    access: { by: 'anyone' },
    tag,
    summary: 'The public key with which the service signs the activity log and exports of the audit',
    description: 'Ask for it before you need it, and keep it apart from the exports that it proves.',
    reply: AuditKey,
  }),
} as const
