import { expect, test } from 'vitest'
import { isAffected } from './affected.ts'

const SITE = { orgId: 'o', propertyId: 's' }

test.each([
  ['the list of what was added', 'createKey', { orgId: 'o' }, ['listKeys', { orgId: 'o' }], true],
  ['a list page by page', 'createKey', { orgId: 'o' }, ['listKeys', { orgId: 'o', query: {} }, 'pages'], true],
  ['no list of another organization', 'createKey', { orgId: 'o' }, ['listKeys', { orgId: 'p' }], false],
  ['no other list', 'createKey', { orgId: 'o' }, ['listMembers', { orgId: 'o' }], false],
  ['the item', 'changeRequest', { ...SITE, number: 7 }, ['getRequest', { ...SITE, number: '7' }], true],
  ['what belongs to it', 'addComment', { ...SITE, number: 7 }, ['getRequestCounts', SITE], true],
  ['no other item', 'changeRequest', { ...SITE, number: 7 }, ['getRequest', { ...SITE, number: 8 }], false],
  ['every item after a change of many', 'changeRequests', SITE, ['getRequest', { ...SITE, number: 8 }], true],
  ['no other list of the site', 'changeRequest', { ...SITE, number: 7 }, ['listTags', SITE], false],
  ['a whole resource without parameters', 'listRequests', {}, ['getRequest', { ...SITE, number: 8 }], true],
  ['the jobs of packages', 'listJobs', SITE, ['getJob', { ...SITE, jobId: 'j' }], true],
  ['no conversion of the site', 'listJobs', SITE, ['listConversions', SITE], false],
  ['the session', 'removeTotp', {}, ['getSession', {}], true],
  ['no list of an organization', 'removeTotp', {}, ['listKeys', { orgId: 'o' }], false],
  ['nothing after a change of the organization', 'updateOrganization', { orgId: 'o' }, ['listKeys', SITE], false],
  ['nothing that was made by asking for it', 'removeTotp', {}, ['startTotp', {}], false],
  ['nothing that is not a reply', 'createKey', { orgId: 'o' }, ['history', 'o'], false],
] as const)('affects %s', (_what, by, input, reply, affected) => {
  expect(isAffected(by, input, reply)).toBe(affected)
})
