import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { DEEDS } from './support/greedy-deeds.ts'
import {
  askWebhook,
  type Neighbours,
  OTHER_NETWORK,
  signIn,
  startNeighbours,
  startTenantServer,
} from './support/neighbours.ts'
import type { PackageSite } from './support/package-service.ts'
import { makeSource } from './support/source-package.ts'

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

  test('the import of an organization does not wait for all imports of the other one', async () => {
    const { service, ordinary, greedy } = neighbours
    const [large, small] = [await makeSource(service.folder, 600), await makeSource(service.folder, 1)]
    const begun: { site: PackageSite; jobId: string }[] = []
    for (const name of ['first', 'second', 'third']) {
      const site = await greedy.addSite(name)
      const { body } = await site.call('POST', '/import', { filename: await large.uploadAs(site, 'large.fpl') })
      begun.push({ site, jobId: body.jobId })
    }

    const filename = await small.uploadAs(ordinary.site, 'small.fpl')
    expect(await ordinary.site.run('/import', filename)).toMatchObject({ status: 'SUCCESS' })
    const greedyJobs = await Promise.all(begun.map(({ site, jobId }) => site.call('GET', `/jobs/${jobId}`)))
    expect(greedyJobs.filter(({ body }) => body.resolved).length).toBeLessThanOrEqual(1)
  })

  test('a person signs in, although another network tries made-up accounts', async () => {
    const { service, ordinary } = neighbours
    const stop = new AbortController()
    const attack = DEEDS['sign-ins']?.(neighbours, stop.signal)
    try {
      expect(await signIn(service, ordinary.person, OTHER_NETWORK)).toBe(200)
    } finally {
      stop.abort()
    }
    await attack
  })
})
