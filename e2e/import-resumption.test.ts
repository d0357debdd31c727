import { countRequests } from '@plantroom/client/count-requests'
import { readArchive } from '@plantroom/fpl/testing/read-archive'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { packageIn, packageOfZeros, ticket } from './support/package.ts'
import { type PackageService, startPackageService } from './support/package-service.ts'

const REQUESTS = 6_000
/** A worker's end is noticed within a minute; then the rest of the import has to run. */
const PATIENCE_MS = 150_000

let service: PackageService

beforeAll(async () => {
  service = await startPackageService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

const idOf = (index: number) => `OLD-${index}`
const pathOf = (index: number) => `attachments/${index % 100}/${index}.txt`
const textOf = (index: number) => `file of request ${index}`
const everyIndex = Array.from({ length: REQUESTS }, (_, index) => index)

test('an import whose worker is killed twice resumes and creates every request once, with its files', {
  timeout: 3 * PATIENCE_MS,
}, async () => {
  const site = await service.addSite('Killed')
  const file = await packageIn(
    service.folder,
    'large.fpl',
    everyIndex.map((index) =>
      ticket(idOf(index), {
        tags: [`tag ${index % 7}`],
        comments: [{ content: `first of ${index}` }, { content: `second of ${index}` }],
        attachments: [{ path: pathOf(index) }],
      }),
    ),
    Object.fromEntries(everyIndex.map((index) => [pathOf(index), textOf(index)])),
  )
  await site.upload(file)
  const { body } = await site.call('POST', '/import', { filename: 'large.fpl' })
  const { jobId } = body
  const job = async () => (await site.call('GET', `/jobs/${jobId}`)).body

  // Two crashes: the third attempt is the last.
  let before = 0
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    await eventually(
      async () => expect(await countRequests(site.client, site.ids)).toBeGreaterThan(before),
      PATIENCE_MS,
    )
    await service.worker.kill()
    before = await countRequests(site.client, site.ids)
    expect(before).toBeLessThan(REQUESTS)
    expect(await job()).toMatchObject({ resolved: false, retryCount: attempt })
    await service.worker.start()
  }

  const ended = await eventually(async () => {
    const found = await job()
    expect(found.resolved).toBe(true)
    return found
  }, PATIENCE_MS)
  expect(ended).toMatchObject({ status: 'SUCCESS', retryCount: 3 })
  expect(ended.output).toMatchObject({
    created: { tickets: REQUESTS, comments: 2 * REQUESTS, attachments: REQUESTS, tags: 7 },
    skipped: 0,
  })

  const { body: report } = await site.call('GET', `/jobs/${jobId}/numbers?limit=10000`)
  const numbers = report.numbers as { externalId: string; number: number }[]
  expect(numbers.map(({ externalId }) => externalId)).toEqual(everyIndex.map(idOf))
  expect(new Set(numbers.map(({ number }) => number)).size).toBe(REQUESTS)

  const exported = await site.run('/export')
  const { url } = exported.output as { url: string }
  const files = await readArchive(Buffer.from(await (await fetch(url)).arrayBuffer()))
  const { tickets } = JSON.parse(String(files.get('manifest.json'))) as {
    tickets: { externalId: string; comments: { content: string }[]; attachments: { path: string; name: string }[] }[]
  }
  expect(tickets).toHaveLength(REQUESTS)
  for (const { externalId, comments, attachments } of tickets) {
    const index = Number(externalId.slice('OLD-'.length))
    expect(comments.map(({ content }) => content)).toEqual([`first of ${index}`, `second of ${index}`])
    expect(attachments.map(({ path }) => String(files.get(path)))).toEqual([textOf(index)])
  }
})

test('a preview whose worker was killed is resolved by the next worker with a message that says what to do', {
  timeout: PATIENCE_MS,
}, async () => {
  const site = await service.addSite('Left behind')
  await site.upload(packageOfZeros(service.folder, 99))
  const { body } = await site.call('POST', '/import/preview', { filename: 'zeros.fpl' })
  const job = async () => (await site.call('GET', `/jobs/${body.jobId}`)).body
  await eventually(async () => expect((await job()).progress?.done).toBeGreaterThan(0))
  await service.worker.kill()
  await service.worker.start()
  const ended = await eventually(async () => {
    const found = await job()
    expect(found.resolved).toBe(true)
    return found
  }, PATIENCE_MS)
  expect(ended).toMatchObject({ status: 'ERROR', retryCount: 1, output: { message: expect.stringMatching(/again/) } })
})
