import { describe, expect, test } from 'vitest'
import { chosenOf, rolesOf, rolesWords } from './member-words.ts'

const SITES = [
  { id: 's1', name: 'Harbour 5' },
  { id: 's2', name: 'Mill' },
]

describe('the roles of a member', () => {
  test('are told by the names of sites', () => {
    expect(rolesWords({ role: 'admin', sites: [] }, SITES)).toEqual(['Admin of the organization'])
    expect(
      rolesWords(
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
    ).toEqual(['Manager: Mill', 'Viewer: Harbour 5, a site that is gone'])
    expect(rolesWords({ role: null, sites: [] }, SITES)).toEqual(['No role'])
  })

  test('come out of the form as they went in', () => {
    const member = { role: null, sites: [{ siteId: 's1', role: 'manager' as const }] }
    expect(rolesOf(chosenOf(member))).toEqual({ sites: member.sites })
    expect(rolesOf(chosenOf({ role: 'admin', sites: [] }))).toEqual({ role: 'admin' })
  })

  test('must be some', () => expect(rolesOf(chosenOf(undefined))).toBeUndefined())
})
