import type { MemberRoles } from '@plantroom/contract/roles'
import { describe, expect, test } from 'vitest'
import { chosenOf, describeRoles, isSameRoles, rolesOf, withRole } from './member-roles.ts'

const SITES = [
  { id: 's1', name: 'Harbour 5' },
  { id: 's2', name: 'Mill' },
]
const NONE = { role: null, allSites: null, tags: [], sites: [] }

describe('the roles of a member', () => {
  test('are listed by place', () => {
    expect(describeRoles({ ...NONE, role: 'admin' }, SITES)).toEqual(['Admin of the organization'])
    const sites = [
      { siteId: 's1', role: 'viewer' },
      { siteId: 's2', role: 'manager' },
      { siteId: 's9', role: 'viewer' },
    ] as const
    expect(describeRoles({ ...NONE, sites }, SITES)).toEqual(['Manager: Mill', 'Viewer: Harbour 5, removed site'])
    const tags = [
      { tag: 'north', role: 'manager' },
      { tag: 'schools', role: 'manager' },
    ] as const
    expect(describeRoles({ ...NONE, allSites: 'viewer', tags }, SITES)).toEqual([
      'Manager of all sites tagged north, schools',
      'Viewer of all sites',
    ])
    expect(describeRoles(NONE, SITES)).toEqual(['No role'])
  })

  test('are short, however many sites there are', () => {
    const sites = Array.from({ length: 323 }, () => ({ siteId: 's2', role: 'viewer' as const }))
    expect(describeRoles({ ...NONE, sites }, SITES)).toEqual(['Viewer: Mill, Mill, Mill, Mill, Mill and 318 more'])
  })

  test('survive the form unchanged', () => {
    const roles: MemberRoles = {
      allSites: 'viewer',
      tags: [{ tag: 'north', role: 'manager' }],
      sites: [
        { siteId: 's1', role: 'manager' },
        { siteId: 's2', role: 'viewer' },
      ],
    }
    expect(rolesOf(chosenOf({ ...NONE, ...roles }))).toEqual(roles)
    expect(rolesOf(chosenOf({ ...NONE, role: 'admin' }))).toEqual({ role: 'admin' })
  })

  test('must not be empty', () => expect(rolesOf(chosenOf(undefined))).toBeUndefined())

  test('move to the role that was chosen last', () => {
    expect(withRole({ viewer: ['a', 'b'], manager: ['c'] }, 'manager', ['c', 'b'])).toEqual({
      viewer: ['a'],
      manager: ['c', 'b'],
    })
    expect(withRole({ viewer: [], manager: ['c'] }, 'viewer', ['c'])).toEqual({ viewer: ['c'], manager: [] })
  })
})

test('roles are the same in whatever order they are listed', () => {
  const [a, b] = [
    { siteId: 'a', role: 'viewer' },
    { siteId: 'b', role: 'manager' },
  ] as const
  expect(isSameRoles({ sites: [a, b] }, { sites: [b, a] })).toBe(true)
  expect(isSameRoles({ sites: [a] }, { sites: [a, b] })).toBe(false)
  expect(isSameRoles({ sites: [a] }, { sites: [{ ...a, role: 'manager' }] })).toBe(false)
  expect(isSameRoles({ sites: [a] }, { tags: [{ tag: 'a', role: 'viewer' }] })).toBe(false)
  expect(isSameRoles({ allSites: 'viewer', sites: [a] }, { sites: [a] })).toBe(false)
  expect(isSameRoles({ role: 'admin' }, { role: 'admin' })).toBe(true)
  expect(isSameRoles({ role: 'admin' }, { sites: [a] })).toBe(false)
  expect(isSameRoles(undefined, { role: 'admin' })).toBe(false)
})
