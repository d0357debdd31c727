import { join } from 'node:path'
import { openPackage } from '@plantroom/fpl/read-package'
import { writePackage } from '@plantroom/fpl/write-package'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import type { ManifestTicket, PlacedTicket } from './manifest-ticket.ts'
import { readTickets } from './read-tickets.ts'
import { ticketWith } from './testing/import-bench.ts'

async function batchesOf(
  tickets: Iterable<ManifestTicket>,
  options: { cutTextsOver?: number; signal?: AbortSignal } = {},
  take: (batch: readonly PlacedTicket[]) => Promise<void> = async () => {},
): Promise<(readonly PlacedTicket[])[]> {
  const path = join(temporaryFolder(), 'package.fpl')
  await writePackage(path, { tickets, attachments: [] })
  using opened = openPackage(path)
  const batches: (readonly PlacedTicket[])[] = []
  await readTickets(
    opened,
    async (batch) => {
      await take(batch)
      batches.push(batch)
    },
    options,
  )
  return batches
}

const many = (count: number, fields: Partial<ManifestTicket> = {}) =>
  Array.from({ length: count }, (_, index) => ticketWith(fields, index))

describe('the requests of a package', () => {
  test('come all, in order, at most 1,000 at a time', async () => {
    const batches = await batchesOf(many(25_500))
    expect(batches.map(({ length }) => length)).toEqual([...Array(25).fill(1000), 500])
    const read = batches.flat()
    expect(read.map(({ index }) => index)).toEqual(Array.from({ length: 25_500 }, (_, index) => index))
    expect(read.every(({ index, ticket }) => ticket.externalId === `T-${index}`)).toBe(true)
  })

  test('come fewer at a time when they are large', async () => {
    const description = 'x'.repeat(100_000)
    const batches = await batchesOf(many(200, { description }))
    for (const batch of batches) expect(batch.length).toBeLessThan(50)
    expect(batches.flat().every(({ ticket }) => ticket.description === description)).toBe(true)
  })

  test('wait for whoever takes them', async () => {
    let [inHand, most] = [0, 0]
    await batchesOf(many(5000), {}, async () => {
      most = Math.max(most, ++inHand)
      await new Promise<void>((resolve) => setImmediate(resolve))
      inHand -= 1
    })
    expect(most).toBe(1)
  })

  test('may be none, and are then not handed over', async () => {
    expect(await batchesOf([])).toEqual([])
  })

  test('come with long texts shortened where that is asked for', async () => {
    const [batch] = await batchesOf(many(1, { description: 'x'.repeat(1000) }), { cutTextsOver: 300 })
    expect(batch?.[0]?.ticket.description).toBe('x'.repeat(300))
  })

  test('end with the error of whoever takes them, and when they are called off', async () => {
    const failing = batchesOf(many(3000), {}, async () => {
      throw new Error('no room')
    })
    await expect(failing).rejects.toThrow('no room')
    await expect(batchesOf(many(3000), { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
  })
})
