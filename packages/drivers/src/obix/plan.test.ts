import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planRequests } from './plan.ts'

test('nothing to read takes no request', () => {
  expect(planRequests([])).toEqual([])
})

test('each path is asked for once, in order, at most 50 in a request', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(200).map(String), { maxLength: 300 }), (paths) => {
      const requests = planRequests(paths)
      expect(requests.flat()).toEqual([...new Set(paths)])
      for (const request of requests) expect(request.length).toBeGreaterThan(0)
      for (const request of requests) expect(request.length).toBeLessThanOrEqual(50)
      expect(requests.length).toBe(Math.ceil(new Set(paths).size / 50))
    }),
  )
})
