import { isAtLeast, type Role } from '@plantroom/contract/roles'

/** The kinds of callers. */
export const CALLERS = [
  'nobody',
  'a malformed key',
  'an unknown key',
  'a revoked key',
  'an expired key',
  'a rotated key with its old secret',
  'a key of another organization',
  'a key of another site',
  'a key that reads measurements',
  'a key for devices',
  'a key that reads requests',
  'a key that writes requests',
  'a wrong admin token',
  'the admin token',
  'a viewer',
  'a manager',
  'a manager by tag',
  'a manager of all sites',
  'an administrator',
  'a manager of another site',
  'an administrator of another organization',
  'an ended session',
  'an administrator on a foreign page',
] as const
export type Caller = (typeof CALLERS)[number]

/** The answer to a caller; 'passes' is any status except 401 and 403. */
type Verdict = 401 | 403 | 'passes'

const everyone = (verdict: Verdict) =>
  Object.fromEntries(CALLERS.map((caller) => [caller, verdict])) as Record<Caller, Verdict>
const ANYONE = everyone('passes')
const OPERATOR: Record<Caller, Verdict> = { ...everyone(401), 'the admin token': 'passes' }
const KEY_FOR_DEVICE: Record<Caller, Verdict> = {
  ...everyone(401),
  'a key of another organization': 403,
  'a key of another site': 403,
  'a key that reads measurements': 403,
  'a key for devices': 'passes',
  'a key that reads requests': 403,
  'a key that writes requests': 403,
}
const KEY_FOR_DEVICE_OR_OPERATOR: Record<Caller, Verdict> = { ...KEY_FOR_DEVICE, 'the admin token': 'passes' }
/** A key is known, and refused: only people may. */
const NO_KEY_OR_OPERATOR: Record<Caller, Verdict> = {
  ...KEY_FOR_DEVICE,
  'a key for devices': 403,
  'the admin token': 'passes',
}
const READS_ARCHIVE: Record<Caller, Verdict> = {
  ...KEY_FOR_DEVICE_OR_OPERATOR,
  'a key that reads measurements': 'passes',
}

/** The answers to people when the site or device in the path needs at least this role. */
const peopleOnSite = (least: Role) => ({
  'a viewer': allowed(isAtLeast('viewer', least)),
  'a manager': allowed(isAtLeast('manager', least)),
  'a manager by tag': allowed(isAtLeast('manager', least)),
  'a manager of all sites': allowed(isAtLeast('manager', least)),
  'an administrator': 'passes' as const,
  'a manager of another site': 403 as const,
  'an administrator of another organization': 403 as const,
  'an administrator on a foreign page': 'passes' as const,
})
/** The same when the path names an organization: people see their own sites. */
const peopleInOrganization = (least: Role) => ({
  ...peopleOnSite(least),
  'a manager of another site': allowed(isAtLeast('manager', least)),
})
const allowed = (may: boolean): Verdict => (may ? 'passes' : 403)

/** Anyone who is signed in. */
const SESSION: Record<Caller, Verdict> = {
  ...everyone(401),
  ...peopleOnSite('viewer'),
  'a manager of another site': 'passes',
  'an administrator of another organization': 'passes',
}
/** Anyone on one of our own pages, which of these callers are the browsers. */
const OWN_PAGES: Record<Caller, Verdict> = {
  ...everyone(403),
  'a viewer': 'passes',
  'a manager': 'passes',
  'a manager by tag': 'passes',
  'a manager of all sites': 'passes',
  'an administrator': 'passes',
  'a manager of another site': 'passes',
  'an administrator of another organization': 'passes',
  'an ended session': 'passes',
}

const READS_REQUESTS: Record<Caller, Verdict> = {
  ...everyone(401),
  'a key of another organization': 403,
  'a key of another site': 403,
  'a key that reads measurements': 403,
  'a key for devices': 403,
  'a key that reads requests': 'passes',
  'a key that writes requests': 'passes',
  'the admin token': 'passes',
  ...peopleOnSite('viewer'),
}
/** Only a signed address gives access, and these callers have none. */
const EXPORTS_REQUESTS: Record<Caller, Verdict> = { ...READS_REQUESTS, ...peopleOnSite('manager') }
const SIGNED = everyone(403)
const WRITES_REQUESTS: Record<Caller, Verdict> = {
  ...READS_REQUESTS,
  'a key that reads requests': 403,
  ...peopleOnSite('manager'),
}

/** A key of another site passes, but reaches only its own sites. */
const KEY_FOR_ORGANIZATION: Record<Caller, Verdict> = { ...KEY_FOR_DEVICE, 'a key of another site': 'passes' }
const DISPATCHES: Record<Caller, Verdict> = {
  ...KEY_FOR_ORGANIZATION,
  'the admin token': 'passes',
  ...peopleInOrganization('manager'),
}

export const SITE = '/api/orgs/:orgId/properties/:propertyId'
const PACKAGES = `${SITE}/ticket-packages`
const DEVICE = '/api/orgs/:orgId/devices/:deviceId'
const COMMAND = '/api/orgs/:orgId/edge-device-admin/:deviceId/cmd'

/** Every route has a row. A missing row fails the test. */
export const MATRIX: Record<string, Record<Caller, Verdict>> = {
  'GET /': ANYONE,
  'GET /*': ANYONE,
  'GET /assets/*': ANYONE,
  'GET /help': ANYONE,
  'GET /help/*': ANYONE,
  'GET /help/assets/*': ANYONE,
  'GET /help/images/*': ANYONE,
  'GET /healthz': ANYONE,
  'GET /api/audit-key': ANYONE,
  'GET /readyz': ANYONE,
  'GET /metrics': ANYONE,
  'GET /openapi.json': ANYONE,
  'GET /docs/': ANYONE,
  'GET /schemas/ticket-export-v1.json': ANYONE,
  'GET /docs': ANYONE,
  'GET /docs/static/:file': ANYONE,
  'GET /docs/static/start.js': ANYONE,
  'GET /docs/static/contrast.css': ANYONE,
  'GET /api/session': SESSION,
  'POST /api/session': OWN_PAGES,
  'DELETE /api/session': SESSION,
  'PUT /api/session/password': SESSION,
  'PUT /api/session/preferences': SESSION,
  'GET /api/session/all': SESSION,
  'DELETE /api/session/all': SESSION,
  'DELETE /api/session/all/:sessionId': SESSION,
  'POST /api/session/reset': OWN_PAGES,
  'POST /api/session/second-factor': OWN_PAGES,
  'POST /api/session/passkey/options': OWN_PAGES,
  'POST /api/session/passkey': OWN_PAGES,
  'POST /api/session/verify/options': SESSION,
  'POST /api/session/verify': SESSION,
  'GET /api/session/factors': SESSION,
  'POST /api/session/totp': SESSION,
  'PUT /api/session/totp': SESSION,
  'DELETE /api/session/totp': SESSION,
  'POST /api/session/recovery-codes': SESSION,
  'POST /api/session/passkeys/options': SESSION,
  'POST /api/session/passkeys': SESSION,
  'PATCH /api/session/passkeys/:passkeyId': SESSION,
  'DELETE /api/session/passkeys/:passkeyId': SESSION,
  'GET /api/session/invitations': SESSION,
  'POST /api/session/invitations': SESSION,
  'PUT /api/session/invitations/:orgId': SESSION,
  'DELETE /api/session/invitations/:orgId': SESSION,
  'POST /api/session/second-factor/options': OWN_PAGES,
  'GET /api/session/providers': ANYONE,
  'GET /api/session/oidc': ANYONE,
  'GET /api/session/oidc/callback': ANYONE,
  'GET /api/session/methods': SESSION,
  'POST /api/session/oidc': SESSION,
  'DELETE /api/session/oidc': SESSION,
  'POST /api/invitation/oidc': OWN_PAGES,
  'GET /api/setup': ANYONE,
  'POST /api/setup': OWN_PAGES,
  'POST /api/invitation': ANYONE,
  'PUT /api/invitation': OWN_PAGES,
  [`POST ${COMMAND}/getTechnicalDataPoints`]: { ...KEY_FOR_DEVICE, ...peopleOnSite('viewer') },
  [`POST ${COMMAND}/getTechnicalConnectionValues`]: { ...KEY_FOR_DEVICE, ...peopleOnSite('viewer') },
  [`POST ${COMMAND}/demandResponseOverride`]: { ...KEY_FOR_DEVICE, ...peopleOnSite('manager') },
  [`POST ${COMMAND}/demandResponseCancel`]: { ...KEY_FOR_DEVICE, ...peopleOnSite('manager') },
  [`POST ${COMMAND}/:command`]: { ...KEY_FOR_DEVICE, ...peopleOnSite('viewer') },
  'POST /api/orgs/:orgId/dispatches': { ...KEY_FOR_ORGANIZATION, ...peopleInOrganization('manager') },
  'GET /api/orgs/:orgId/dispatches': DISPATCHES,
  'GET /api/orgs/:orgId/dispatches/:dispatchId': DISPATCHES,
  'GET /api/orgs/:orgId/dispatches/:dispatchId/events': DISPATCHES,
  'DELETE /api/orgs/:orgId/dispatches/:dispatchId': DISPATCHES,
  'POST /api/orgs/:orgId/limits': { ...KEY_FOR_ORGANIZATION, ...peopleInOrganization('manager') },
  'GET /api/orgs/:orgId/limits': DISPATCHES,
  'GET /api/orgs/:orgId/limits/:limitId': DISPATCHES,
  'DELETE /api/orgs/:orgId/limits/:limitId': DISPATCHES,
  'GET /api/orgs/:orgId/overview': { ...OPERATOR, ...peopleInOrganization('viewer') },
  'GET /api/orgs/:orgId/search': { ...OPERATOR, ...peopleInOrganization('viewer') },
  // A key of another site passes but sees only its own sites.
  'GET /api/orgs/:orgId/reports': {
    ...READS_ARCHIVE,
    'a key of another site': 'passes',
    ...peopleInOrganization('viewer'),
  },
  [`GET ${DEVICE}/datapoints/:datapointId/measurements`]: { ...READS_ARCHIVE, ...peopleOnSite('viewer') },
  'GET /api/orgs/:orgId/sites/:siteId/recent-values': { ...OPERATOR, ...peopleOnSite('viewer') },
  [`GET ${DEVICE}/live`]: { ...KEY_FOR_DEVICE_OR_OPERATOR, ...peopleOnSite('viewer') },
  [`POST ${DEVICE}/holds/:datapointId/close`]: { ...NO_KEY_OR_OPERATOR, ...peopleOnSite('manager') },
  [`GET ${DEVICE}/broadcasts`]: { ...OPERATOR, ...peopleOnSite('viewer') },
  'GET /api/orgs': OPERATOR,
  'POST /api/orgs': OPERATOR,
  'GET /api/orgs/:orgId': { ...OPERATOR, ...peopleInOrganization('admin') },
  'PATCH /api/orgs/:orgId': { ...OPERATOR, ...peopleInOrganization('admin') },
  'DELETE /api/orgs/:orgId': OPERATOR,
  'GET /api/orgs/:orgId/sites': { ...OPERATOR, ...peopleInOrganization('viewer') },
  'POST /api/orgs/:orgId/sites': { ...OPERATOR, ...peopleInOrganization('admin') },
  'POST /api/orgs/:orgId/test-mail': { ...OPERATOR, ...peopleInOrganization('admin') },
  'PATCH /api/orgs/:orgId/site-tags': { ...OPERATOR, ...peopleInOrganization('admin') },
  'PATCH /api/orgs/:orgId/sites/:siteId': { ...OPERATOR, ...peopleOnSite('admin') },
  'DELETE /api/orgs/:orgId/sites/:siteId': { ...OPERATOR, ...peopleOnSite('admin') },
  'PATCH /api/orgs/:orgId/devices/:deviceId': { ...OPERATOR, ...peopleOnSite('admin') },
  'GET /api/orgs/:orgId/getting-started': { ...OPERATOR, ...peopleInOrganization('admin') },
  'PUT /api/orgs/:orgId/getting-started': { ...OPERATOR, ...peopleInOrganization('admin') },
  'GET /api/orgs/:orgId/sites/:siteId/problem-report': { ...OPERATOR, ...peopleOnSite('viewer') },
  'GET /api/orgs/:orgId/sites/:siteId/alerts/:alertId': { ...OPERATOR, ...peopleOnSite('viewer') },
  'PATCH /api/orgs/:orgId/sites/:siteId/alerts/:alertId': { ...OPERATOR, ...peopleOnSite('manager') },
  'GET /api/orgs/:orgId/devices': { ...OPERATOR, ...peopleInOrganization('viewer') },
  'POST /api/orgs/:orgId/devices': { ...OPERATOR, ...peopleInOrganization('admin') },
  [`POST ${DEVICE}/credential`]: { ...OPERATOR, ...peopleOnSite('admin') },
  [`GET ${DEVICE}/replacement`]: { ...OPERATOR, ...peopleOnSite('admin') },
  [`POST ${DEVICE}/replacement`]: { ...OPERATOR, ...peopleOnSite('admin') },
  [`DELETE ${DEVICE}`]: { ...OPERATOR, ...peopleOnSite('admin') },
  [`POST ${DEVICE}/overrides/:overrideId/release`]: { ...OPERATOR, ...peopleOnSite('manager') },
  [`GET ${DEVICE}/technical-systems`]: { ...KEY_FOR_DEVICE_OR_OPERATOR, ...peopleOnSite('viewer') },
  [`GET ${DEVICE}/technical-systems/:systemId/file`]: { ...OPERATOR, ...peopleOnSite('admin') },
  [`PUT ${DEVICE}/commissioning`]: { ...OPERATOR, ...peopleOnSite('admin') },
  [`POST ${DEVICE}/commissioning/check`]: { ...OPERATOR, ...peopleOnSite('admin') },
  [`GET ${DEVICE}/commissioning/versions`]: { ...OPERATOR, ...peopleOnSite('admin') },
  [`GET ${DEVICE}/commissioning/versions/:version`]: { ...OPERATOR, ...peopleOnSite('admin') },
  'GET /api/orgs/:orgId/activity': { ...OPERATOR, ...peopleInOrganization('admin') },
  'GET /api/activity': OPERATOR,
  'GET /api/orgs/:orgId/api-keys': { ...OPERATOR, ...peopleInOrganization('admin') },
  'POST /api/orgs/:orgId/api-keys': { ...OPERATOR, ...peopleInOrganization('admin') },
  'POST /api/orgs/:orgId/api-keys/:keyId/rotate': { ...OPERATOR, ...peopleInOrganization('admin') },
  'DELETE /api/orgs/:orgId/api-keys/:keyId': { ...OPERATOR, ...peopleInOrganization('admin') },
  'GET /api/orgs/:orgId/webhooks': { ...OPERATOR, ...peopleInOrganization('admin') },
  'POST /api/orgs/:orgId/webhooks': { ...OPERATOR, ...peopleInOrganization('admin') },
  'PATCH /api/orgs/:orgId/webhooks/:webhookId': { ...OPERATOR, ...peopleInOrganization('admin') },
  'DELETE /api/orgs/:orgId/webhooks/:webhookId': { ...OPERATOR, ...peopleInOrganization('admin') },
  'POST /api/orgs/:orgId/webhooks/:webhookId/rotate': { ...OPERATOR, ...peopleInOrganization('admin') },
  'POST /api/orgs/:orgId/webhooks/:webhookId/test': { ...OPERATOR, ...peopleInOrganization('admin') },
  'GET /api/orgs/:orgId/webhooks/:webhookId/deliveries': { ...OPERATOR, ...peopleInOrganization('admin') },
  'POST /api/orgs/:orgId/webhooks/:webhookId/deliveries/:deliveryId/resend': {
    ...OPERATOR,
    ...peopleInOrganization('admin'),
  },
  'GET /api/orgs/:orgId/alerts': { ...OPERATOR, ...peopleInOrganization('viewer') },
  'GET /api/orgs/:orgId/alerts/becoming': { ...OPERATOR, ...peopleInOrganization('viewer') },
  'GET /api/orgs/:orgId/alerts/rules': { ...OPERATOR, ...peopleInOrganization('admin') },
  'PUT /api/orgs/:orgId/alerts/rules': { ...OPERATOR, ...peopleInOrganization('admin') },
  'POST /api/orgs/:orgId/users': OPERATOR,
  'GET /api/orgs/:orgId/members': { ...OPERATOR, ...peopleInOrganization('admin') },
  'POST /api/orgs/:orgId/members': { ...OPERATOR, ...peopleInOrganization('admin') },
  'PATCH /api/orgs/:orgId/members/:userId': { ...OPERATOR, ...peopleInOrganization('admin') },
  'DELETE /api/orgs/:orgId/members/:userId': { ...OPERATOR, ...peopleInOrganization('admin') },
  'POST /api/orgs/:orgId/members/:userId/link': { ...OPERATOR, ...peopleInOrganization('admin') },
  'DELETE /api/orgs/:orgId/members/:userId/factors': { ...OPERATOR, ...peopleInOrganization('admin') },
  [`GET ${SITE}/tickets`]: READS_REQUESTS,
  [`POST ${SITE}/tickets`]: WRITES_REQUESTS,
  [`GET ${SITE}/tickets/counts`]: READS_REQUESTS,
  [`POST ${SITE}/tickets/changes`]: WRITES_REQUESTS,
  [`POST ${SITE}/tickets/changes/:undoId/undo`]: WRITES_REQUESTS,
  [`GET ${SITE}/request-codes`]: WRITES_REQUESTS,
  [`POST ${SITE}/request-codes`]: WRITES_REQUESTS,
  [`DELETE ${SITE}/request-codes/:codeId`]: WRITES_REQUESTS,
  'GET /api/request-forms/:token': ANYONE,
  'GET /api/session/push-key': SESSION,
  'POST /api/session/push-subscriptions': SESSION,
  'DELETE /api/session/push-subscriptions': SESSION,
  'POST /api/request-forms/:token': ANYONE,
  [`GET ${SITE}/request-views`]: READS_REQUESTS,
  [`POST ${SITE}/request-views`]: READS_REQUESTS,
  [`DELETE ${SITE}/request-views/:viewId`]: READS_REQUESTS,
  [`GET ${SITE}/tickets/:number`]: READS_REQUESTS,
  [`PATCH ${SITE}/tickets/:number`]: WRITES_REQUESTS,
  [`GET ${SITE}/tickets/:number/attachments/:attachmentId`]: READS_REQUESTS,
  [`GET ${SITE}/tickets/:number/attachments/:attachmentId/image`]: READS_REQUESTS,
  [`GET ${SITE}/tickets/:number/changes`]: READS_REQUESTS,
  [`GET ${SITE}/attachment-uploads/upload-url`]: WRITES_REQUESTS,
  [`GET ${SITE}/mentionable`]: WRITES_REQUESTS,
  [`GET ${SITE}/tickets/:number/comments`]: READS_REQUESTS,
  [`POST ${SITE}/tickets/:number/comments`]: WRITES_REQUESTS,
  [`GET ${SITE}/people`]: READS_REQUESTS,
  [`POST ${SITE}/people`]: WRITES_REQUESTS,
  [`PATCH ${SITE}/people/:personId`]: WRITES_REQUESTS,
  [`DELETE ${SITE}/people/:personId`]: WRITES_REQUESTS,
  [`GET ${SITE}/units`]: READS_REQUESTS,
  [`POST ${SITE}/units`]: WRITES_REQUESTS,
  [`DELETE ${SITE}/units/:unitId`]: WRITES_REQUESTS,
  [`GET ${SITE}/tags`]: READS_REQUESTS,
  [`GET ${SITE}/outbox`]: WRITES_REQUESTS,
  [`GET ${PACKAGES}/import/upload-url`]: WRITES_REQUESTS,
  [`POST ${PACKAGES}/import/uploads`]: WRITES_REQUESTS,
  [`GET ${PACKAGES}/import/uploads`]: WRITES_REQUESTS,
  [`GET ${PACKAGES}/import/uploads/:uploadId`]: WRITES_REQUESTS,
  [`POST ${PACKAGES}/import/uploads/:uploadId/parts`]: WRITES_REQUESTS,
  [`POST ${PACKAGES}/import/uploads/:uploadId/complete`]: WRITES_REQUESTS,
  [`DELETE ${PACKAGES}/import/uploads/:uploadId`]: WRITES_REQUESTS,
  [`POST ${PACKAGES}/import/preview`]: WRITES_REQUESTS,
  [`POST ${PACKAGES}/import`]: WRITES_REQUESTS,
  [`POST ${PACKAGES}/import/fill/preview`]: WRITES_REQUESTS,
  [`POST ${PACKAGES}/import/fill`]: WRITES_REQUESTS,
  [`POST ${PACKAGES}/export`]: EXPORTS_REQUESTS,
  [`GET ${PACKAGES}/automatic-exports`]: WRITES_REQUESTS,
  [`PUT ${PACKAGES}/automatic-exports`]: WRITES_REQUESTS,
  [`DELETE ${PACKAGES}/automatic-exports`]: WRITES_REQUESTS,
  [`POST ${PACKAGES}/automatic-exports/test`]: WRITES_REQUESTS,
  [`POST ${PACKAGES}/automatic-exports/run`]: WRITES_REQUESTS,
  [`GET ${PACKAGES}/automatic-exports/runs`]: WRITES_REQUESTS,
  [`GET ${PACKAGES}/jobs`]: READS_REQUESTS,
  [`GET ${PACKAGES}/jobs/:jobId`]: READS_REQUESTS,
  [`GET ${PACKAGES}/jobs/:jobId/events`]: READS_REQUESTS,
  [`GET ${PACKAGES}/jobs/:jobId/problems`]: READS_REQUESTS,
  [`GET ${PACKAGES}/jobs/:jobId/samples`]: READS_REQUESTS,
  [`GET ${PACKAGES}/jobs/:jobId/findings`]: READS_REQUESTS,
  [`GET ${PACKAGES}/jobs/:jobId/fills`]: READS_REQUESTS,
  [`GET ${PACKAGES}/jobs/:jobId/numbers`]: READS_REQUESTS,
  [`GET ${PACKAGES}/conversions/upload-url`]: WRITES_REQUESTS,
  [`POST ${PACKAGES}/conversions/analysis`]: WRITES_REQUESTS,
  [`POST ${PACKAGES}/conversions/trial`]: WRITES_REQUESTS,
  [`POST ${PACKAGES}/conversions`]: WRITES_REQUESTS,
  [`GET ${PACKAGES}/conversions`]: WRITES_REQUESTS,
  [`GET ${PACKAGES}/conversions/:jobId`]: WRITES_REQUESTS,
  [`GET ${PACKAGES}/conversions/:jobId/problems`]: WRITES_REQUESTS,
  [`GET ${PACKAGES}/conversions/:jobId/unplaced`]: WRITES_REQUESTS,
  [`GET ${PACKAGES}/conversions/mappings`]: WRITES_REQUESTS,
  [`PUT ${PACKAGES}/conversions/mappings`]: WRITES_REQUESTS,
  [`DELETE ${PACKAGES}/conversions/mappings/:mappingId`]: WRITES_REQUESTS,
  'PUT /uploads/:orgId/:propertyId/:file': SIGNED,
  'PUT /uploads/:orgId/:propertyId/:file/:storeId/:number': SIGNED,
  'GET /downloads/:kind/:propertyId/:file': SIGNED,
}
/** Routes that remove the device or change its secret. */
export const SPENDS_DEVICE = new Set([`DELETE ${DEVICE}`, `POST ${DEVICE}/credential`])
/** Routes that need Maintenance Requests to be turned on for the site. */
export const OF_REQUESTS = Object.keys(MATRIX).filter((route) => route.includes(SITE))

/** Routes for which a person must have proved recently who they are, and when. */
export const FRESH: Record<string, true | 'outside-envelope'> = {
  'PUT /api/session/password': true,
  'POST /api/session/oidc': true,
  'DELETE /api/session/oidc': true,
  'POST /api/session/totp': true,
  'PUT /api/session/totp': true,
  'DELETE /api/session/totp': true,
  'POST /api/session/recovery-codes': true,
  'POST /api/session/passkeys/options': true,
  'POST /api/session/passkeys': true,
  'DELETE /api/session/passkeys/:passkeyId': true,
  [`POST ${COMMAND}/demandResponseOverride`]: 'outside-envelope',
  'POST /api/orgs/:orgId/dispatches': 'outside-envelope',
  [`PUT ${DEVICE}/commissioning`]: true,
  [`POST ${DEVICE}/replacement`]: true,
  'PATCH /api/orgs/:orgId': true,
  'DELETE /api/orgs/:orgId/sites/:siteId': true,
  'PATCH /api/orgs/:orgId/site-tags': true,
  'POST /api/orgs/:orgId/api-keys': true,
  'POST /api/orgs/:orgId/api-keys/:keyId/rotate': true,
  'DELETE /api/orgs/:orgId/api-keys/:keyId': true,
  'POST /api/orgs/:orgId/webhooks': true,
  'PATCH /api/orgs/:orgId/webhooks/:webhookId': true,
  'POST /api/orgs/:orgId/webhooks/:webhookId/rotate': true,
  [`PUT ${PACKAGES}/automatic-exports`]: true,
  [`POST ${PACKAGES}/automatic-exports/test`]: true,
  'POST /api/orgs/:orgId/members': true,
  'PATCH /api/orgs/:orgId/members/:userId': true,
  'DELETE /api/orgs/:orgId/members/:userId': true,
  'POST /api/orgs/:orgId/members/:userId/link': true,
  'DELETE /api/orgs/:orgId/members/:userId/factors': true,
}

/** Refuses changes by signed-in people from a page of another site. */
export function verdictFor(route: string, caller: Caller): Verdict | undefined {
  const verdict = MATRIX[route]?.[caller]
  const isAuthenticated = MATRIX[route]?.['an ended session'] === 401
  const isForeign = caller === 'an administrator on a foreign page' && !route.startsWith('GET ')
  return isForeign && isAuthenticated && verdict === 'passes' ? 403 : verdict
}
