import { createClient } from '@plantroom/client/client'
import { sendWithToken } from '@plantroom/client/http'
import { sendJson, startServer } from '@plantroom/client/testing/server'
import { describe, expect, test } from 'vitest'
import { fetchNewest, reports } from './reports.ts'

/** An archive of this many reports. It returns at most 1000 per page; the cursor is the next index. */
async function archiveOf(total: number) {
  const { url, requests } = await startServer(({ path }, response) => {
    const query = new URL(path ?? '', 'http://x').searchParams
    const start = Number(query.get('cursor') ?? 0)
    const end = Math.min(total, start + Math.min(1000, Number(query.get('limit'))))
    const found = Array.from({ length: end - start }, (_, index) => ({ id: `rep_${start + index}` }))
    sendJson(response, 200, { reports: found, nextCursor: end < total ? String(end) : null })
  })
  const client = createClient(sendWithToken(url, 'token'))
  const read = async (limit: number) => {
    const { found, more } = await fetchNewest(client, 'org_1', limit, { code: 4005 })
    return { ids: found.map(({ id }) => id), more }
  }
  return { read, requests }
}

const idsTo = (count: number) => Array.from({ length: count }, (_, index) => `rep_${index}`)

describe('fetching the newest reports', () => {
  test('returns the requested number and whether there are more', async () => {
    const { read, requests } = await archiveOf(120)
    expect(await read(50)).toEqual({ ids: idsTo(50), more: true })
    expect(requests.map(({ path }) => path)).toEqual(['/api/orgs/org_1/reports?code=4005&limit=50'])
  })

  test('fetches several pages if needed, and not more than requested', async () => {
    const { read, requests } = await archiveOf(5000)
    expect(await read(2500)).toEqual({ ids: idsTo(2500), more: true })
    const limits = requests.map(({ path }) => new URL(path ?? '', 'http://x').searchParams.get('limit'))
    expect(limits).toEqual(['1000', '1000', '500'])
  })

  test.each([0, 1, 1000, 2345])('returns all %d reports on request', async (total) => {
    const { read } = await archiveOf(total)
    expect(await read(Number.POSITIVE_INFINITY)).toEqual({ ids: idsTo(total), more: false })
  })

  test('does not claim more if the last page was exact', async () => {
    const { read } = await archiveOf(50)
    expect(await read(50)).toEqual({ ids: idsTo(50), more: false })
  })
})

describe('plantroom reports', () => {
  test.each([
    [['--limit', '0'], '--limit 0 is not a whole number above 0'],
    [['--limit', '-5'], '--limit -5 is not a whole number above 0'],
    [['--limit', '5', '--all'], 'give only one of --limit N and --all'],
    [['--code', '4004'], '--code must be one of 4000, 4001, 4005, not 4004'],
    [['--code', 'constructor'], '--code must be one of 4000, 4001, 4005, not constructor'],
    [['--from', 'yesterday'], '--from yesterday is not a time'],
    [['extra'], 'unexpected argument extra'],
  ])('%j is a usage error', async (args, message) => {
    await expect(reports.run(args)).rejects.toThrow(message)
  })
})
