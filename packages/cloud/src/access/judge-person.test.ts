import { Failure } from '@plantroom/contract/failure'
import { ROLES, type Role } from '@plantroom/contract/roles'
import { describe, expect, test } from 'vitest'
import { judgePerson, type Reach } from './judge-person.ts'
import type { Membership } from './person-reach.ts'

const SITES: Record<string, string> = { site: 'org', site2: 'org', theirs: 'other' }
const DEVICES: Record<string, string> = { device: 'site', device2: 'site2', theirDevice: 'theirs' }
const places = {
  findSite(id: string) {
    const organizationId = SITES[id]
    return organizationId === undefined ? undefined : { organizationId }
  },
  findDevice(id: string) {
    const siteId = DEVICES[id]
    return siteId === undefined ? undefined : { siteId, organizationId: SITES[siteId] ?? '' }
  },
}

const on = (siteId: string | null, role: Role, organizationId = 'org'): Membership => ({ organizationId, siteId, role })

function judge(memberships: Membership[], needed: Role, reach: Reach) {
  const verdict = judgePerson({ memberships }, needed, reach, places)
  if (verdict instanceof Failure) return verdict.message
  return { role: verdict.role, siteIds: verdict.siteIds && [...verdict.siteIds] }
}

const STRANGER = 'you have no access to this organization, or to this site or the site of this device'
const tooLittle = (needed: Role, role: Role) =>
  `this needs the role ${needed}, and yours is ${role}: ask an administrator of your organization`

describe('a person', () => {
  test('is an administrator on every site, and of what is of none', () => {
    for (const reach of [{ siteId: 'site' }, { propertyId: 'site2' }, { deviceId: 'device' }, {}]) {
      for (const needed of ROLES) {
        const verdict = judge([on(null, 'admin')], needed, { orgId: 'org', ...reach })
        expect(verdict).toEqual({ role: 'admin', siteIds: undefined })
      }
    }
  })

  test('may do on a site what their role there is for, and what lesser ones are', () => {
    const manager = [on('site', 'manager')]
    for (const reach of [{ siteId: 'site' }, { propertyId: 'site' }, { deviceId: 'device' }]) {
      const there = { orgId: 'org', ...reach }
      expect(judge(manager, 'viewer', there)).toEqual({ role: 'manager', siteIds: ['site'] })
      expect(judge(manager, 'manager', there)).toEqual({ role: 'manager', siteIds: ['site'] })
      expect(judge(manager, 'admin', there)).toBe(tooLittle('admin', 'manager'))
    }
  })

  test('sees of an organization the sites where their role is enough', () => {
    const both = [on('site', 'viewer'), on('site2', 'manager')]
    expect(judge(both, 'viewer', { orgId: 'org' })).toEqual({ role: 'manager', siteIds: ['site', 'site2'] })
    expect(judge(both, 'manager', { orgId: 'org' })).toEqual({ role: 'manager', siteIds: ['site2'] })
    expect(judge(both, 'manager', { orgId: 'org', siteId: 'site' })).toBe(tooLittle('manager', 'viewer'))
  })

  test('is a stranger elsewhere, and is told the same of what there is and what there is not', () => {
    const people = [[on('site', 'manager')], [on('theirs', 'manager', 'other')], []]
    const reaches: Reach[] = [
      { orgId: 'org', siteId: 'site2' },
      { orgId: 'org', deviceId: 'device2' },
      { orgId: 'org', siteId: 'none' },
      { orgId: 'org', deviceId: 'none' },
      { orgId: 'org', siteId: 'theirs' },
      { orgId: 'org', deviceId: 'theirDevice' },
      { orgId: 'other', siteId: 'site' },
      { orgId: 'other', deviceId: 'device' },
      { orgId: 'none' },
      { orgId: 'none', siteId: 'none' },
      {},
    ]
    for (const memberships of people) {
      for (const reach of reaches) expect([reach, judge(memberships, 'viewer', reach)]).toEqual([reach, STRANGER])
    }
  })

  test('who administers one organization is a stranger in another, and on its sites under the name of their own', () => {
    const admin = [on(null, 'admin')]
    for (const reach of [
      { orgId: 'other' },
      { orgId: 'org', siteId: 'theirs' },
      { orgId: 'org', propertyId: 'theirs' },
      { orgId: 'org', deviceId: 'theirDevice' },
      { orgId: 'org', deviceId: 'none' },
    ]) {
      expect([reach, judge(admin, 'viewer', reach)]).toEqual([reach, STRANGER])
    }
  })
})
