import { expect, test } from 'vitest'
import { createPlaces } from './places.ts'

test('counts what runs, by organization, and what has ended', async () => {
  const places = createPlaces()
  const [first, second, third] = [1, 2, 3].map(() => Promise.withResolvers<void>())
  if (!first || !second || !third) throw new Error('expected three')
  expect([places.count, places.done]).toEqual([0, 0])
  places.take({ organizationId: 'org_1' }, first.promise)
  places.take({ organizationId: 'org_1' }, second.promise)
  places.take({ organizationId: 'org_2' }, third.promise)
  expect([places.count, places.done]).toEqual([3, 0])
  expect([...places.byOrganization()]).toEqual([
    ['org_1', 2],
    ['org_2', 1],
  ])
  second.resolve()
  await places.one()
  expect([places.count, places.done]).toEqual([2, 1])
  let haveAllEnded = false
  const all = places.all().then(() => {
    haveAllEnded = true
  })
  first.resolve()
  await places.one()
  expect(haveAllEnded).toBe(false)
  third.resolve()
  await all
  expect([places.count, places.done]).toEqual([0, 3])
})
