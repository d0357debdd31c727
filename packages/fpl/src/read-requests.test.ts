import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { openPackage } from './read-package.ts'
import type { ManifestRequest, PlacedRequest } from './read-requests.ts'
import { readRequests } from './read-requests.ts'
import { writePackage } from './write-package.ts'

async function batchesOf(
  tickets: Iterable<ManifestRequest>,
  options: { cutTextsOver?: number; signal?: AbortSignal } = {},
  take: (batch: readonly PlacedRequest[]) => Promise<void> = async () => {},
): Promise<(readonly PlacedRequest[])[]> {
  const path = join(temporaryFolder(), 'package.fpl')
  await writePackage(path, { tickets, attachments: [] })
  using opened = openPackage(path)
  const batches: (readonly PlacedRequest[])[] = []
  await readRequests(
    opened,
    async (batch) => {
      await take(batch)
      batches.push(batch)
    },
    options,
  )
  return batches
}

const many = (count: number, fields: Partial<ManifestRequest> = {}) =>
  Array.from(
    { length: count },
    (_, index): ManifestRequest => ({
      externalId: `T-${index}`,
      title: 'Title',
      state: 'new',
      ...fields,
    }),
  )

describe('readRequests', () => {
  test('passes on all requests in order, at most 1,000 at a time', async () => {
    const batches = await batchesOf(many(25_500))
    expect(batches.map(({ length }) => length)).toEqual([...Array(25).fill(1000), 500])
    const read = batches.flat()
    expect(read.map(({ index }) => index)).toEqual(Array.from({ length: 25_500 }, (_, index) => index))
    expect(read.every(({ index, request }) => request.externalId === `T-${index}`)).toBe(true)
  })

  test('passes on smaller batches of large requests', async () => {
    const description = 'x'.repeat(100_000)
    const batches = await batchesOf(many(200, { description }))
    for (const batch of batches) expect(batch.length).toBeLessThan(50)
    expect(batches.flat().every(({ request }) => request.description === description)).toBe(true)
  })

  test('waits for each batch to be processed', async () => {
    let [inHand, most] = [0, 0]
    await batchesOf(many(5000), {}, async () => {
      most = Math.max(most, ++inHand)
      await new Promise<void>((resolve) => setImmediate(resolve))
      inHand -= 1
    })
    expect(most).toBe(1)
  })

  test('passes on nothing when the package has no requests', async () => {
    expect(await batchesOf([])).toEqual([])
  })

  test('shortens long texts on request', async () => {
    const [batch] = await batchesOf(many(1, { description: 'x'.repeat(1000) }), { cutTextsOver: 300 })
    expect(batch?.[0]?.request.description).toBe('x'.repeat(300))
  })

  test('rejects with the error of the consumer, and when it is aborted', async () => {
    const failing = batchesOf(many(3000), {}, async () => {
      throw new Error('no room')
    })
    await expect(failing).rejects.toThrow('no room')
    await expect(batchesOf(many(3000), { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
  })
})
