import { describe, expect, test } from 'vitest'
import { collectItems, pages } from './pages.ts'

const page = (cursor: string | undefined, nextCursor: string | null) => ({ cursor, nextCursor })

describe('pages', () => {
  async function fetched(next: Readonly<Record<string, string | null>>, atMost = 10) {
    const cursors: (string | undefined)[] = []
    for await (const { cursor } of pages(async (cursor) => page(cursor, next[cursor ?? 'first'] ?? null))) {
      cursors.push(cursor)
      if (cursors.length === atMost) break
    }
    return cursors
  }

  test('follows the cursors to the last page', async () => {
    expect(await fetched({ first: 'a', a: 'b' })).toEqual([undefined, 'a', 'b'])
    expect(await fetched({})).toEqual([undefined])
  })

  test('fetches no page before the caller asks for it', async () => {
    const requested: (string | undefined)[] = []
    const fetchPage = async (cursor: string | undefined) => {
      requested.push(cursor)
      return page(cursor, 'next')
    }
    for await (const _page of pages(fetchPage)) break
    expect(requested).toEqual([undefined])
    expect(await fetched({ first: 'a', a: 'b' }, 2)).toEqual([undefined, 'a'])
  })

  test('fails instead of looping when a page refers to itself', async () => {
    await expect(fetched({ first: 'a', a: 'a' })).rejects.toThrow('the service returned the cursor a twice')
  })
})

describe('collectItems', () => {
  const PAGES: Readonly<Record<string, { units: string[]; nextCursor: string | null }>> = {
    first: { units: ['A1', 'A2'], nextCursor: 'A2' },
    A2: { units: ['B1'], nextCursor: 'B1' },
    B1: { units: ['C1'], nextCursor: null },
  }

  function collect(enough?: number) {
    const requested: (string | undefined)[] = []
    const fetchPage = async (cursor: string | undefined) => {
      requested.push(cursor)
      return PAGES[cursor ?? 'first'] ?? { units: [], nextCursor: null }
    }
    return { requested, items: collectItems(fetchPage, ({ units }) => units, enough) }
  }

  test('joins the items of all pages', async () => {
    const { requested, items } = collect()
    expect(await items).toEqual(['A1', 'A2', 'B1', 'C1'])
    expect(requested).toEqual([undefined, 'A2', 'B1'])
  })

  test('stops after the page that has enough items', async () => {
    const { requested, items } = collect(3)
    expect(await items).toEqual(['A1', 'A2', 'B1'])
    expect(requested).toEqual([undefined, 'A2'])
  })
})
