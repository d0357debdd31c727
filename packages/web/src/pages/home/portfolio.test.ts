import type { SiteOverview } from '@plantroom/contract/portfolio'
import { describe, expect, test } from 'vitest'
import { foundControllers, readView, rowsOf, type SiteRow, shownRows, totalsOf, writeView } from './portfolio.ts'

const facts = (changes: Partial<SiteOverview> = {}): SiteOverview => ({
  ...{ id: 'id', name: 'name', timeZone: 'UTC', tags: [], held: 0, heldOffline: 0, troubled: 0, alerts: 0 },
  ...{ openRequests: null, power: null, powerLimits: [], controllers: { names: ['Roof'], offline: 0, unheard: 0 } },
  ...changes,
})
const row = (name: string, changes: Partial<SiteOverview> = {}): SiteRow => ({
  ...{ orgId: 'org', organization: 'Estates', id: name, name, facts: facts(changes) },
})
const limit = { deviceId: 'dev', state: 'limited', importKw: 60, exportKw: null, isOnline: true } as const
const kW = (value: number | null) => ({ value, unit: 'kW', at: null })
const names = (rows: readonly SiteRow[]) => rows.map(({ name }) => name)
const view = readView(new URLSearchParams())

describe('the order', () => {
  const rows = [
    row('Quiet'),
    row('Held', { held: 9 }),
    row('Offline', { controllers: { names: [], offline: 1, unheard: 0 } }),
    row('Alert', { alerts: 1 }),
    row('Trouble', { troubled: 1 }),
    row('House 10'),
    row('House 9'),
  ]
  test('puts first what needs somebody most', () => {
    expect(names(shownRows(rows, view))).toEqual([
      'Trouble',
      'Alert',
      'Offline',
      'Held',
      'House 9',
      'House 10',
      'Quiet',
    ])
  })
  test('is by name, with numbers as numbers', () => {
    expect(names(shownRows(rows, { ...view, sort: 'name' })).slice(2, 5)).toEqual(['House 9', 'House 10', 'Offline'])
  })
  test('is by power, the unknown last', () => {
    const powers = [
      row('No meter'),
      row('Low', { power: kW(-5) }),
      row('Old', { power: kW(null) }),
      row('High', { power: kW(2) }),
    ]
    expect(names(shownRows(powers, { ...view, sort: 'power' }))).toEqual(['High', 'Low', 'No meter', 'Old'])
  })
})

test('a filter shows the sites where something is so, and none whose facts are not loaded', () => {
  const rows = [row('A', { held: 1 }), row('B'), { ...row('C'), facts: undefined }]
  expect(names(shownRows(rows, { ...view, filter: 'held' }))).toEqual(['A'])
  expect(
    names(shownRows([row('L', { powerLimits: [limit, limit] }), ...rows], { ...view, filter: 'limited' })),
  ).toEqual(['L'])
})

test('a tag shows the sites that have it, and a search finds it', () => {
  const rows = [
    row('A', { tags: ['north', 'schools'] }),
    row('B', { tags: ['northern'] }),
    { ...row('C'), facts: undefined },
  ]
  expect(names(shownRows(rows, { ...view, tag: 'north' }))).toEqual(['A'])
  expect(names(shownRows(rows, { ...view, text: 'north' }))).toEqual(['A', 'B'])
  expect(names(shownRows(rows, { ...view, text: 'school a' }))).toEqual(['A'])
  // The tag explains why the site was found.
  expect(foundControllers(row('A', { tags: ['north'] }), 'north')).toEqual([])
  const address = writeView(new URLSearchParams('all=&sort=name'), { tag: 'Koolid & lasteaiad' })
  expect(readView(new URLSearchParams(address.toString()))).toMatchObject({ sort: 'name', tag: 'Koolid & lasteaiad' })
  expect(writeView(address, { tag: undefined }).has('tag')).toBe(false)
})

test('a search looks at site, organization and controllers, and names the controllers it found', () => {
  const rows = [row('North'), row('South', { controllers: { names: ['Boiler 7', 'Roof'], offline: 0, unheard: 0 } })]
  expect(names(shownRows(rows, { ...view, text: 'estates SOUTH' }))).toEqual(['South'])
  expect(names(shownRows(rows, { ...view, text: 'boiler' }))).toEqual(['South'])
  const south = rows[1] as SiteRow
  expect(foundControllers(south, 'boiler')).toEqual(['Boiler 7'])
  expect(foundControllers(south, 'south boiler')).toEqual(['Boiler 7'])
  expect(foundControllers(south, 'boiler 7')).toEqual(['Boiler 7'])
  expect(foundControllers(south, 'boiler roof')).toEqual(['Boiler 7', 'Roof'])
  expect(foundControllers(south, 'south')).toEqual([])
})

test('totals count every site, and say for how many sites the power is missing', () => {
  const rows = [
    row('A', { held: 2, power: kW(1.5), openRequests: 3, powerLimits: [limit, limit] }),
    row('B', { power: kW(null) }),
    row('C', { power: { value: 7, unit: 'A', at: null } }),
    row('D'),
  ]
  expect(totalsOf(rows)).toMatchObject({ held: 2, requests: 3, limited: 1, kilowatts: 1.5, powerUnknown: 2 })
  expect(totalsOf([row('D')]).kilowatts).toBeUndefined()
})

test('sites are those of the session until the overview is loaded', () => {
  const site = { id: 'id', name: 'North', timeZone: 'UTC', maintenanceRequests: true, role: 'viewer' as const }
  const organization = { id: 'org', name: 'Estates', isAdmin: false, sites: [site] }
  expect(rowsOf(organization, undefined)).toMatchObject([{ name: 'North', facts: undefined }])
  expect(rowsOf(organization, [facts({ held: 1 })])).toMatchObject([{ name: 'North', facts: { held: 1 } }])
})

test('the view is in the address, without its usual values', () => {
  const parameters = writeView(new URLSearchParams('all&sort=power'), { filter: 'offline', text: 'a b' })
  expect(String(parameters)).toBe('all=&sort=power&show=offline&q=a+b')
  expect(readView(parameters)).toEqual({ sort: 'power', filter: 'offline', text: 'a b' })
  expect(String(writeView(parameters, { sort: 'urgency', filter: undefined, text: '' }))).toBe('all=')
  expect(readView(new URLSearchParams('sort=x&show=y'))).toEqual({ sort: 'urgency', filter: undefined, text: '' })
})
