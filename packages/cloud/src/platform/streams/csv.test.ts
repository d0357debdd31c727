import { createLog } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createServer } from '../http/server.ts'
import { type CsvPage, sendCsv } from './csv.ts'
import { openStream } from './testing/open-stream.ts'

/** Serves a list page by page. */
async function start(read: (page: number) => Promise<CsvPage<string>>) {
  const app = createServer({ tls: undefined, log: createLog('test', 'silent') })
  const requested: (string | undefined)[] = []
  app.get('/list', (_request, reply) =>
    sendCsv<string>(reply, {
      filename: 'list.csv',
      columns: ['name', 'length'],
      cells: (name) => [name, name.length],
      read(after) {
        requested.push(after)
        return read(Number(after ?? 0))
      },
    }),
  )
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  return { url: `${base}/list`, requested }
}

/** Passes once the list has not grown for ten checks. */
function stopsGrowing(list: readonly unknown[]): () => void {
  let [length, checks] = [list.length, 0]
  return () => {
    checks = list.length === length ? checks + 1 : 0
    length = list.length
    expect(checks).toBeGreaterThan(10)
  }
}

describe('a list as CSV', () => {
  test('contains all pages', async () => {
    const { url, requested } = await start(async (page) => ({
      items: [`a${page}`, `=b${page}`],
      next: page < 2 ? String(page + 1) : null,
    }))
    const answer = await fetch(url)
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="list.csv"')
    expect(await answer.text()).toBe("name,length\r\na0,2\r\n'=b0,3\r\na1,2\r\n'=b1,3\r\na2,2\r\n'=b2,3\r\n")
    expect(requested).toEqual([undefined, '1', '2'])
  })

  test('has only a header when it is empty', async () => {
    const { url } = await start(async () => ({ items: [], next: null }))
    expect(await (await fetch(url)).text()).toBe('name,length\r\n')
  })

  test('answers with an error when the first page fails', async () => {
    const { url } = await start(() => Promise.reject(new Failure('unavailable', 'the database is down')))
    expect((await fetch(url)).status).toBe(503)
  })

  test('is cut off when a later page fails', async () => {
    const { url } = await start(async (page) => {
      if (page > 0) throw new Error('the database is down')
      return { items: ['a'], next: '1' }
    })
    await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow()
  })

  test('is read no faster than the client reads, and not after it disconnects', async () => {
    const { url, requested } = await start(async (page) => ({ items: ['x'.repeat(500_000)], next: String(page + 1) }))
    const reader = await openStream(url)
    reader.response.pause()
    await eventually(stopsGrowing(requested))
    expect(requested.length).toBeLessThan(200)
    reader.request.destroy()
    await eventually(stopsGrowing(requested))
  })
})
