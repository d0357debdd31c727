import { describe, expect, test } from 'vitest'
import { chosenOf, describeRoles, isSameRoles, rolesOf } from './member-roles.ts'

const SITES = [
  { id: 's1', name: 'Harbour 5' },
  { id: 's2', name: 'Mill' },
]

describe('the roles of a member', () => {
  test('are listed by site', () => {
    expect(describeRoles({ role: 'admin', sites: [] }, SITES)).toEqual(['Admin of the organization'])
    expect(
      describeRoles(
        {
          role: null,
          sites: [
            { siteId: 's1', role: 'viewer' },
            { siteId: 's2', role: 'manager' },
            { siteId: 's9', role: 'viewer' },
          ],
        },
        SITES,
      ),
    ).toEqual(['Manager: Mill', 'Viewer: Harbour 5, removed site'])
    expect(describeRoles({ role: null, sites: [] }, SITES)).toEqual(['No role'])
  })

  test('survive the form unchanged', () => {
    const member = { role: null, sites: [{ siteId: 's1', role: 'manager' as const }] }
    expect(rolesOf(chosenOf(member))).toEqual({ sites: member.sites })
    expect(rolesOf(chosenOf({ role: 'admin', sites: [] }))).toEqual({ role: 'admin' })
  })

  test('must not be empty', () => expect(rolesOf(chosenOf(undefined))).toBeUndefined())
})

test('roles are the same in whatever order they are listed', () => {
  const [a, b] = [
    { siteId: 'a', role: 'viewer' },
    { siteId: 'b', role: 'manager' },
  ] as const
  expect(isSameRoles({ sites: [a, b] }, { sites: [b, a] })).toBe(true)
  expect(isSameRoles({ sites: [a] }, { sites: [a, b] })).toBe(false)
  expect(isSameRoles({ sites: [a] }, { sites: [{ ...a, role: 'manager' }] })).toBe(false)
  expect(isSameRoles({ role: 'admin' }, { role: 'admin' })).toBe(true)
  expect(isSameRoles({ role: 'admin' }, { sites: [a] })).toBe(false)
  expect(isSameRoles(undefined, { role: 'admin' })).toBe(false)
})
