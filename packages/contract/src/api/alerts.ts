import { ALERT_KINDS, Alert, AlertRules, AlertStep, BecomingAlert, MAX_ALERT_NOTE } from '../alerts.ts'
import { email, givenTime, nextCursor, paging, storable } from '../fields.ts'
import { NOT_BLANK } from '../patterns.ts'
import { route } from '../route.ts'
import { array, boolean, nullable, object, oneOf, optional, partial, text } from '../schema.ts'
import { administrator } from './organization.ts'

const tag = 'Alerts and webhooks'

const ALERTS = '/api/orgs/:orgId/alerts'
const ALERT = '/api/orgs/:orgId/sites/:siteId/alerts/:alertId'

const AlertWithSteps = object({
  alert: Alert,
  steps: array(AlertStep, { description: 'The oldest first' }),
  assignable: array(text(), { description: 'Emails of the members who have a role on the site' }),
})

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
  listBecomingAlerts: route({
    method: 'GET',
    path: `${ALERTS}/becoming`,
    access: { by: 'operator', role: 'viewer' },
    tag,
    summary: 'List what is wrong now and opens an alert if it lasts, the next one first',
    query: object({ siteId: optional(storable('Only of this site')) }),
    reply: object({ becoming: array(BecomingAlert) }),
  }),
  getAlert: route({
    method: 'GET',
    path: ALERT,
    access: { by: 'operator', role: 'viewer' },
    tag,
    summary: 'Get an alert, with what people did about it',
    reply: AlertWithSteps,
  }),
  changeAlert: route({
    method: 'PATCH',
    path: ALERT,
    access: { by: 'operator', role: 'manager' },
    tag,
    summary: 'Acknowledge, assign or snooze an alert, or add a note to it',
    body: partial({
      acknowledged: boolean(),
      assignee: nullable(email, { description: 'Email of a member who has a role on the site' }),
      snoozedUntil: nullable(givenTime('At most 30 days from now; null to end it')),
      note: text({ maxLength: MAX_ALERT_NOTE, pattern: NOT_BLANK }),
    }),
    reply: AlertWithSteps,
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
