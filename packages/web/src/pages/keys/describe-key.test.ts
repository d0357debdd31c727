import type { ApiKey } from '@plantroom/contract/api'
import { PERMISSIONS } from '@plantroom/contract/permissions'
import { describe, expect, test } from 'vitest'
import { describeLastUse, describePermission, describeSites, describeState, inOrder, tryLine } from './describe-key.ts'

const SITES = [
  { id: 's1', name: 'Harbour 5' },
  { id: 's2', name: 'Mill' },
]

const KEY: ApiKey = {
  id: 'key',
  name: 'Market',
  permissions: ['edge-device:read_write'],
  siteIds: null,
  state: 'active',
  createdAt: '2026-01-01',
  expiresAt: null,
  lastUsedAt: null,
  lastUsedFrom: null,
  rotatedAt: null,
  previousSecretUntil: null,
  revokedAt: null,
  overrides: 0,
  pendingDevices: 0,
}
const asIs = (at: string) => at

test('describes the state of a key', () => {
  const state = (changes: Partial<ApiKey>) => describeState({ ...KEY, ...changes }, asIs)
  expect(state({})).toEqual(['Active'])
  expect(state({ expiresAt: 'T1', overrides: 1 })).toEqual(['Expires T1', '1 override has not ended'])
  expect(state({ state: 'expired', expiresAt: 'T1', overrides: 2 })).toEqual([
    'Expired T1',
    '2 overrides have not ended',
  ])
  expect(state({ previousSecretUntil: 'T2' })).toEqual(['Active', 'The previous secret works until T2'])
  expect(state({ state: 'revoked', revokedAt: 'T3', expiresAt: 'T1', overrides: 2, pendingDevices: 1 })).toEqual([
    'Revoked T3',
    '1 controller still has to cancel its overrides',
  ])
})

test('describes the last use of a key', () => {
  expect(describeLastUse(KEY, asIs)).toBe('Never')
  expect(describeLastUse({ lastUsedAt: 'T', lastUsedFrom: null }, asIs)).toBe('T')
  expect(describeLastUse({ lastUsedAt: 'T', lastUsedFrom: '192.0.2.1' }, asIs)).toBe('T from 192.0.2.1')
})

test('describes permissions', () => {
  expect(PERMISSIONS.map(describePermission)).toEqual([
    'Edge devices read & write',
    'Measurements read',
    'Maintenance requests read',
    'Maintenance requests read & write',
  ])
  expect(describePermission('new:thing')).toBe('new:thing')
})

test('describes sites by name', () => {
  expect(describeSites(null, SITES)).toBe('All sites')
  expect(describeSites([], SITES)).toBe('No sites')
  expect(describeSites(['s2', 's1', 's9'], SITES)).toBe('Mill, Harbour 5, removed site')
})

test('sorts working keys first, then the newest', () => {
  const key = (id: string, createdAt: string, state: ApiKey['state'] = 'active') => ({ ...KEY, id, createdAt, state })
  const listed = [key('old', '2026-01-01'), key('gone', '2026-03-01', 'revoked'), key('new', '2026-02-01')]
  expect(inOrder(listed).map(({ id }) => id)).toEqual(['new', 'old', 'gone'])
})

describe('the command to try a key', () => {
  const at = { origin: 'https://p.example', orgId: 'org_1', siteId: 's1' }

  test('requests something that the key may read', () => {
    for (const permission of ['edge-device:read_write', 'measurement:read']) {
      expect(tryLine({ apiKey: 'plr_x', permissions: [permission], siteIds: null }, at)).toBe(
        "curl -sS 'https://p.example/api/orgs/org_1/reports?limit=5' -H 'X-Api-Key: plr_x'",
      )
    }
    expect(tryLine({ apiKey: 'plr_x', permissions: ['ticket:read'], siteIds: ['s2'] }, at)).toBe(
      "curl -sS 'https://p.example/api/orgs/org_1/properties/s2/tickets?limit=5' -H 'X-Api-Key: plr_x'",
    )
  })
})
