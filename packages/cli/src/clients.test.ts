import { describe, expect, test } from 'vitest'
import { onlySiteWithRequests } from './clients.ts'

const site = (id: string, maintenanceRequests: boolean) => ({ id, name: `Name of ${id}`, maintenanceRequests })

describe('when no site is given, the command', () => {
  test('uses the only one with Maintenance Requests', () => {
    expect(onlySiteWithRequests([site('site_1', false), site('site_2', true)])).toBe('site_2')
  })

  test.each([[[]], [[site('site_1', false)]]])('fails if there is none: %j', (sites) => {
    expect(() => onlySiteWithRequests(sites)).toThrow('the site (--site ID or PLANTROOM_SITE) is missing')
  })

  test('does not choose among several', () => {
    expect(() => onlySiteWithRequests([site('site_1', true), site('site_2', true)])).toThrow(
      'is missing: one of site_1 (Name of site_1), site_2 (Name of site_2)',
    )
  })
})
