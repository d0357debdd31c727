import { describe, expect, test } from 'vitest'
import { curlLine, inOrder, PERMISSIONS, permissionWords, sitesWords } from './key-words.ts'

const SITES = [
  { id: 's1', name: 'Harbour 5' },
  { id: 's2', name: 'Mill' },
]

test('a permission is told in words', () => {
  expect(PERMISSIONS.map(permissionWords)).toEqual([
    'Edge devices: read & control',
    'Maintenance requests: read',
    'Maintenance requests: read & write',
  ])
  expect(permissionWords('new:thing')).toBe('new:thing')
})

test('sites are told by name', () => {
  expect(sitesWords(null, SITES)).toBe('All sites')
  expect(sitesWords([], SITES)).toBe('No site')
  expect(sitesWords(['s2', 's1', 's9'], SITES)).toBe('Mill, Harbour 5, a site that is gone')
})

test('keys that work come first, then the newest', () => {
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

describe('the line to try a key', () => {
  const at = { origin: 'https://p.example', orgId: 'org_1', siteId: 's1' }

  test('asks for something that the key may see', () => {
    expect(curlLine({ apiKey: 'plr_x', permissions: ['edge-device:read_write'], siteIds: null }, at)).toBe(
      "curl -sS 'https://p.example/api/orgs/org_1/reports?limit=5' -H 'X-Api-Key: plr_x'",
    )
    expect(curlLine({ apiKey: 'plr_x', permissions: ['ticket:read'], siteIds: ['s2'] }, at)).toBe(
      "curl -sS 'https://p.example/api/orgs/org_1/properties/s2/tickets?limit=5' -H 'X-Api-Key: plr_x'",
    )
  })
})
