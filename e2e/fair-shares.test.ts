import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { askWebhook, type Neighbours, startNeighbours, startTenantServer } from './support/neighbours.ts'

describe('while another organization takes what it can get', () => {
  let neighbours: Neighbours
  beforeAll(async () => {
    neighbours = await startNeighbours()
  })
  afterAll(() => neighbours?.[Symbol.asyncDispose]())

  test('the webhook of an organization arrives, although all servers of the other one hang', async () => {
    const { service, ordinary, greedy } = neighbours
    await using hanging = await startTenantServer({ hangs: true })
    await using answering = await startTenantServer({ hangs: false })
    for (let number = 0; number < 12; number += 1) {
      await askWebhook(service.admin, greedy, `${hanging.url}/${number}`)
    }
    await eventually(() => expect(hanging.arrived.length).toBeGreaterThan(0))
    await askWebhook(service.admin, ordinary, `${answering.url}/ours`)
    await eventually(() => expect(answering.arrived).toEqual(['/ours']))
  })
})
