import { Failure } from '@plantroom/contract/failure'
import { ROLES, type Role } from '@plantroom/contract/roles'
import { describe, expect, test } from 'vitest'
import { authorizePerson, type Membership, type PathIds } from './authorize-person.ts'

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

function authorize(memberships: Membership[], needed: Role, path: PathIds, hasSecondFactor = false) {
  const verdict = authorizePerson({ memberships, hasSecondFactor }, needed, path, places)
  if (verdict instanceof Failure) return verdict.message
  return { role: verdict.role, siteIds: verdict.siteIds && [...verdict.siteIds] }
}

const STRANGER = 'you have no access to this organization, or to this site or the site of this device'
const tooLittle = (needed: Role, role: Role) =>
  `this needs the role ${needed}, and yours is ${role}: ask an administrator of your organization`

describe('a person', () => {
  test('with the admin role is an administrator of the organization and on all its sites', () => {
    for (const path of [{ siteId: 'site' }, { propertyId: 'site2' }, { deviceId: 'device' }, {}]) {
      for (const needed of ROLES) {
        const verdict = authorize([on(null, 'admin')], needed, { orgId: 'org', ...path })
        expect(verdict).toEqual({ role: 'admin', siteIds: undefined })
      }
    }
  })

  test('has the rights of their role on a site and of every lower role', () => {
    const manager = [on('site', 'manager')]
    for (const path of [{ siteId: 'site' }, { propertyId: 'site' }, { deviceId: 'device' }]) {
      const there = { orgId: 'org', ...path }
      expect(authorize(manager, 'viewer', there)).toEqual({ role: 'manager', siteIds: ['site'] })
      expect(authorize(manager, 'manager', there)).toEqual({ role: 'manager', siteIds: ['site'] })
      expect(authorize(manager, 'admin', there)).toBe(tooLittle('admin', 'manager'))
    }
  })

  test('sees the sites of an organization where their role is sufficient', () => {
    const both = [on('site', 'viewer'), on('site2', 'manager')]
    expect(authorize(both, 'viewer', { orgId: 'org' })).toEqual({ role: 'manager', siteIds: ['site', 'site2'] })
    expect(authorize(both, 'manager', { orgId: 'org' })).toEqual({ role: 'manager', siteIds: ['site2'] })
    expect(authorize(both, 'manager', { orgId: 'org', siteId: 'site' })).toBe(tooLittle('manager', 'viewer'))
  })

  test('gets the same answer for unknown ids and for ids they have no access to', () => {
    const people = [[on('site', 'manager')], [on('theirs', 'manager', 'other')], []]
    const paths: PathIds[] = [
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
      for (const path of paths) expect([path, authorize(memberships, 'viewer', path)]).toEqual([path, STRANGER])
    }
  })

  test('who administers one organization has no access to another, even through a path of their own', () => {
    const admin = [on(null, 'admin')]
    for (const path of [
      { orgId: 'other' },
      { orgId: 'org', siteId: 'theirs' },
      { orgId: 'org', propertyId: 'theirs' },
      { orgId: 'org', deviceId: 'theirDevice' },
      { orgId: 'org', deviceId: 'none' },
    ]) {
      expect([path, authorize(admin, 'viewer', path)]).toEqual([path, STRANGER])
    }
  })
})
