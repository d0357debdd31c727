import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planRequests } from './read-paths.ts'

test('needs no request without paths', () => {
  expect(planRequests([])).toEqual([])
})

test('requests each path once, in order, at most 50 per request', () => {
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
