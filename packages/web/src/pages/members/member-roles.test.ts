import { describe, expect, test } from 'vitest'
import { chosenOf, describeRoles, rolesOf } from './member-roles.ts'

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
