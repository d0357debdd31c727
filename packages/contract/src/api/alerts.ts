import { ALERT_KINDS, Alert, AlertRules } from '../alerts.ts'
import { nextCursor, paging, storable } from '../fields.ts'
import { route } from '../route.ts'
import { array, object, oneOf, optional } from '../schema.ts'
import { administrator } from './organization.ts'

const tag = 'Alerts and webhooks'

const ALERTS = '/api/orgs/:orgId/alerts'

/** What is or was wrong, and who gets mail about it. */
export const alertRoutes = {
  listAlerts: route({
    method: 'GET',
    path: ALERTS,
    access: { by: 'operator', role: 'viewer' },
    tag,
    summary: 'List alerts, the newest first, by pages; a person sees those of their sites',
    query: object({
      open: optional(
        oneOf(['true', 'false'], { description: 'Only alerts that are open, or only those that are over' }),
      ),
      kind: optional(oneOf(ALERT_KINDS)),
      siteId: optional(storable('Only alerts of this site')),
      deviceId: optional(storable('Only alerts of this device')),
      ...paging({ most: 500, default: 100 }),
    }),
    reply: object({ alerts: array(Alert), nextCursor }),
  }),
  getAlertRules: route({
    method: 'GET',
    path: `${ALERTS}/rules`,
    access: administrator,
    tag,
    summary: 'When alerts open and close, and who gets mail',
    reply: AlertRules,
  }),
  setAlertRules: route({
    method: 'PUT',
    path: `${ALERTS}/rules`,
    access: administrator,
    tag,
    summary: 'Set when alerts open and close, and who gets mail',
    body: AlertRules,
    reply: AlertRules,
  }),
} as const
