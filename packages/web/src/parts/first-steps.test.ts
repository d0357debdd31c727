import { expect, test } from 'vitest'
import { FIRST_STEPS, pathOfStep } from './first-steps.ts'

const NOTHING = { site: false, controller: false, commissioned: false, key: false, override: false }
const paths = (list: Parameters<typeof pathOfStep>[1]) =>
  Object.fromEntries(FIRST_STEPS.map((step) => [step, pathOfStep(step, list)]))

test('a step leads to where it is done, once the steps before it are', () => {
  const list = { orgId: 'org_1', steps: NOTHING, siteId: null, deviceId: null }
  const none = { site: '/?all', controller: undefined, commissioned: undefined, key: undefined, override: undefined }
  expect(paths(list)).toEqual(none)
  const site = '/o/org_1/s/site_1'
  const withSite = { controller: `${site}/settings/systems`, key: '/o/org_1/keys' }
  expect(paths({ ...list, siteId: 'site_1' })).toEqual({ ...none, ...withSite })
  const withDevice = { ...list, siteId: 'site_1', deviceId: 'dev_1' }
  expect(paths(withDevice)).toMatchObject({ commissioned: `${site}/settings/systems`, override: undefined })
  expect(paths({ ...withDevice, steps: { ...NOTHING, commissioned: true } })).toMatchObject({
    override: `${site}/devices/dev_1`,
  })
})
