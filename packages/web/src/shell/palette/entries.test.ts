import { expect, test } from 'vitest'
import { type Entry, foundEntries, isSearchable, matchingEntries, siteEntries } from './entries.ts'

const site = (id: string, name: string) => ({
  ...{ id, name, timeZone: 'UTC', maintenanceRequests: true, role: 'viewer' as const },
})
const signedIn = {
  user: { id: 'user', email: 'a@example.com' },
  organizations: [
    { id: 'org', name: 'Estates', isAdmin: false, sites: [site('s1', 'Old Mill'), site('s2', 'Millside')] },
  ],
}
const labels = (groups: ReturnType<typeof matchingEntries>) =>
  groups.map(({ kind, entries }) => [kind, ...entries.map(({ label }) => label)])

test('finds sites by their name and organization, those that begin with the text first', () => {
  expect(labels(matchingEntries(siteEntries(signedIn), 'mill'))).toEqual([['sites', 'Millside', 'Old Mill']])
  expect(labels(matchingEntries(siteEntries(signedIn), 'OLD estates'))).toEqual([['sites', 'Old Mill']])
  expect(matchingEntries(siteEntries(signedIn), 'nowhere')).toEqual([])
})

test('leads to requests, tags, controllers and datapoints', () => {
  const place = { siteId: 's1', siteName: 'Old Mill' }
  const found = foundEntries('org', {
    sites: [],
    tags: [{ tag: 'north & east', sites: 2 }],
    devices: [{ id: 'dev', name: 'Roof', ...place }],
    datapoints: [{ id: 'dp/1', name: 'Flow', deviceId: 'dev', deviceName: 'Roof', ...place }],
    requests: [{ number: 1299, title: 'Leak', state: 'open', ...place }],
  })
  expect(found.map(({ label, description, to }) => [label, description, to])).toEqual([
    ['#1299 Leak', 'Old Mill', '/o/org/s/s1/requests/1299'],
    ['north & east', '2 sites', '/?all&tag=north%20%26%20east'],
    ['Roof', 'Old Mill', '/o/org/s/s1/devices/dev'],
    ['Flow', 'Roof, Old Mill', '/o/org/s/s1/devices/dev?datapoint=dp%2F1'],
  ])
  // A number that the service found stays, with or without its sign.
  expect(labels(matchingEntries(found, '1299'))).toEqual([['requests', '#1299 Leak']])
  expect(labels(matchingEntries(found, '#1299'))).toEqual([['requests', '#1299 Leak']])
})

test('shows at most eight of a kind', () => {
  const many = Array.from(
    { length: 50 },
    (_, index): Entry => ({ id: `${index}`, kind: 'sites', label: `Site ${index}` }),
  )
  expect(matchingEntries(many, 'site')[0]?.entries).toHaveLength(8)
})

test.each([
  ['#7', true],
  ['7', true],
  ['a', false],
  ['ab', true],
  ['  ', false],
])('%j is worth a search: %j', (text, expected) => {
  expect(isSearchable(text)).toBe(expected)
})
