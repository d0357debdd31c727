import { PERMISSIONS } from '@plantroom/contract/permissions'
import { describe, expect, test } from 'vitest'
import { curlLine, describePermission, describeSites, inOrder } from './describe-key.ts'

const SITES = [
  { id: 's1', name: 'Harbour 5' },
  { id: 's2', name: 'Mill' },
]

test('describes permissions', () => {
  expect(PERMISSIONS.map(describePermission)).toEqual([
    'Controllers: read & control',
    'Maintenance requests: read',
    'Maintenance requests: read & write',
  ])
  expect(describePermission('new:thing')).toBe('new:thing')
})

test('describes sites by name', () => {
  expect(describeSites(null, SITES)).toBe('All sites')
  expect(describeSites([], SITES)).toBe('No sites')
  expect(describeSites(['s2', 's1', 's9'], SITES)).toBe('Mill, Harbour 5, removed site')
})

test('sorts working keys first, then the newest', () => {
  const key = (id: string, createdAt: string, revokedAt: string | null = null) => ({
    id,
    name: id,
    permissions: [],
    siteIds: null,
    createdAt,
    lastUsedAt: null,
    revokedAt,
  })
  const listed = [key('old', '2026-01-01'), key('gone', '2026-03-01', '2026-03-02'), key('new', '2026-02-01')]
  expect(inOrder(listed).map(({ id }) => id)).toEqual(['new', 'old', 'gone'])
})

describe('the command to try a key', () => {
  const at = { origin: 'https://p.example', orgId: 'org_1', siteId: 's1' }

  test('requests something that the key may read', () => {
    expect(curlLine({ apiKey: 'plr_x', permissions: ['edge-device:read_write'], siteIds: null }, at)).toBe(
      "curl -sS 'https://p.example/api/orgs/org_1/reports?limit=5' -H 'X-Api-Key: plr_x'",
    )
    expect(curlLine({ apiKey: 'plr_x', permissions: ['ticket:read'], siteIds: ['s2'] }, at)).toBe(
      "curl -sS 'https://p.example/api/orgs/org_1/properties/s2/tickets?limit=5' -H 'X-Api-Key: plr_x'",
    )
  })
})
