import { expect, test } from 'vitest'
import { tabTitle } from './page-title.ts'

const none = { page: undefined, site: undefined, organization: undefined, alerts: '' }

test.each([
  [none, 'Plantroom'],
  [{ ...none, page: 'Account' }, 'Account – Plantroom'],
  [{ ...none, page: 'Requests', site: 'Harbour House' }, 'Requests – Harbour House – Plantroom'],
  [
    { page: 'Requests', site: 'Harbour House', organization: 'Estates', alerts: '' },
    'Requests – Harbour House – Estates – Plantroom',
  ],
  // The overview of a site is called like the site.
  [{ ...none, page: 'Harbour House', site: 'Harbour House' }, 'Harbour House – Plantroom'],
  [{ ...none, page: 'Alerts', alerts: '100+' }, '(100+) Alerts – Plantroom'],
  // Names are taken as they are.
  [{ ...none, page: '{site} $&' }, '{site} $& – Plantroom'],
])('%o is %j', (parts, title) => {
  expect(tabTitle(parts)).toBe(title)
})
