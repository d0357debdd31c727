import { createClient } from '@plantroom/client/client'
import { sendWithToken } from '@plantroom/client/http'
import { sendJson, startServer } from '@plantroom/client/testing/server'
import { describe, expect, test } from 'vitest'
import { UsageError } from './command.ts'
import { choose, createNames } from './names.ts'
import { nearest } from './suggest.ts'

const WHOLE_ID = 'dev_0123456789abcdefghjk'

/** Two organizations whose devices have the same names. */
async function operator() {
  const devices = (org: string) => [
    { id: `dev_${org}_boiler`, name: 'Boiler room' },
    { id: `dev_${org}_roof`, name: 'Roof' },
    { id: `dev_${org}_roof2`, name: 'Roof' },
  ]
  const { url, requests } = await startServer(({ path = '' }, response) => {
    const org = path.split('/')[3] ?? ''
    if (path.endsWith('/devices')) return sendJson(response, 200, { devices: devices(org), nextCursor: null })
    if (path === '/api/orgs') return sendJson(response, 200, { organizations: [{ id: 'org_a', name: 'North' }] })
    sendJson(response, 200, { sites: [{ id: 'site_1', name: 'org_a' }], keys: [{ id: 'k1', name: 'Market' }] })
  })
  return { names: createNames(createClient(sendWithToken(url, 'token'))), requests }
}

describe('with the admin token, a name', () => {
  test('is looked up in its own organization', async () => {
    const { names } = await operator()
    expect(await names.organization('North')).toBe('org_a')
    expect(await names.device('org_a', 'Boiler room')).toBe('dev_org_a_boiler')
    expect(await names.device('org_b', 'Boiler room')).toBe('dev_org_b_boiler')
    expect(await names.site('org_a', 'org_a')).toBe('site_1')
    expect(await names.key('org_a', 'Market')).toBe('k1')
  })

  test('of several devices is refused with their ids', async () => {
    const { names } = await operator()
    await expect(names.device('org_a', 'Roof')).rejects.toThrow(
      new UsageError('2 are named Roof; give one of the ids: dev_org_a_roof, dev_org_a_roof2'),
    )
  })

  test('that is unknown is refused with the nearest names', async () => {
    const { names } = await operator()
    await expect(names.device('org_a', 'boiler rom')).rejects.toThrow(
      'there is no device boiler rom (did you mean Boiler room?)',
    )
    await expect(names.key('org_a', 'zzz')).rejects.toThrow(new UsageError('there is no key zzz; there is only Market'))
    await expect(names.device('org_a', '\u001b[2J')).rejects.toThrow('there is no device \\u001b[2J')
  })
})

test('a whole id needs no request, and one that may be an id is passed on', async () => {
  const { names, requests } = await operator()
  expect(await names.device('org_a', WHOLE_ID)).toBe(WHOLE_ID)
  expect(requests).toEqual([])
  expect(await names.organization('org_unknown')).toBe('org_unknown')
})

describe('without the admin token', () => {
  const names = createNames(undefined)
  test('ids are passed on', async () => {
    expect(await names.device('org_a', 'dev_1')).toBe('dev_1')
  })
  test('names are refused', async () => {
    await expect(names.organization('North')).rejects.toThrow(
      new UsageError('North is not the id of an organization; only the admin token can look up names'),
    )
  })
})

describe('suggestions', () => {
  test.each([
    ['invertr', ['Inverter', 'Grid meter'], ['Inverter']],
    ['meter', ['Inverter', 'Grid meter'], ['Grid meter']],
    ['INVERTER', ['Inverter'], ['Inverter']],
    ['x', ['Inverter', ''], []],
    ['', ['Inverter'], []],
  ])('for %s among %j are %j', (given, names, expected) => {
    expect(nearest(given, names)).toEqual(expected)
  })

  test('are at most three, also of ten thousand', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `Room ${index} temperature ${'x'.repeat(1000)}`)
    expect(nearest('Room 17', names)).toHaveLength(3)
  })
})

const POINTS = [
  { id: 'dp_1', name: 'Charge power', on: 'Inverter' },
  { id: 'dp_2', name: 'State of charge', on: 'Inverter' },
  { id: 'dp_3', name: 'State of charge', on: 'Spare battery' },
  { id: 'Charge power 2', name: 'dp_1', on: 'Spare battery' },
]
const chosen = (given: string) => choose(POINTS, given, ({ on }) => on)?.id

describe('choosing by id or name', () => {
  test('prefers an id to an equal name', () => {
    expect(chosen('dp_1')).toBe('dp_1')
  })

  test('finds an exact name', () => {
    expect(chosen('Charge power')).toBe('dp_1')
    expect(chosen('charge power')).toBeUndefined()
  })

  test('fails for a shared name and lists where each one is', () => {
    expect(() => chosen('State of charge')).toThrow(
      new UsageError('2 are named State of charge; give one of the ids: dp_2 (Inverter), dp_3 (Spare battery)'),
    )
  })

  test('accepts a name known from two sources', () => {
    expect(choose([...POINTS, ...POINTS], 'Charge power', () => '')?.id).toBe('dp_1')
  })

  test.each(['', 'dp_9', '__proto__'])('finds nothing for %j', (given) => {
    expect(chosen(given)).toBeUndefined()
  })
})
