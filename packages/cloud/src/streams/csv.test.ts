import { createLog } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createServer } from '../http/server.ts'
import { type CsvPage, sendCsv } from './csv.ts'
import { openStream } from './testing/open-stream.ts'

/** A list of pages, the last one where `read` says so. */
async function start(read: (page: number) => Promise<CsvPage<string>>) {
  const app = createServer({ tls: undefined, log: createLog('test', 'silent') })
  const asked: (string | undefined)[] = []
  app.get('/list', (_request, reply) =>
    sendCsv<string>(reply, {
      filename: 'list.csv',
      columns: ['name', 'length'],
      cells: (name) => [name, name.length],
      read(after) {
        asked.push(after)
        return read(Number(after ?? 0))
      },
    }),
  )
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  return { url: `${base}/list`, asked }
}

/** Passes when nothing has come for ten looks. */
function standsStill(list: readonly unknown[]): () => void {
  let [length, looks] = [list.length, 0]
  return () => {
    looks = list.length === length ? looks + 1 : 0
    length = list.length
    expect(looks).toBeGreaterThan(10)
  }
}

describe('a list as CSV', () => {
  test('is a file of all its pages', async () => {
    const { url, asked } = await start(async (page) => ({
      items: [`a${page}`, `=b${page}`],
      next: page < 2 ? String(page + 1) : null,
    }))
    const answer = await fetch(url)
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="list.csv"')
    expect(await answer.text()).toBe("name,length\r\na0,2\r\n'=b0,3\r\na1,2\r\n'=b1,3\r\na2,2\r\n'=b2,3\r\n")
    expect(asked).toEqual([undefined, '1', '2'])
  })

  test('without anything in it is its columns', async () => {
    const { url } = await start(async () => ({ items: [], next: null }))
    expect(await (await fetch(url)).text()).toBe('name,length\r\n')
  })

  test('that cannot be read at all is an error like any other', async () => {
    const { url } = await start(() => Promise.reject(new Failure('unavailable', 'the database is away')))
    expect((await fetch(url)).status).toBe(503)
  })

  test('that cannot be read to its end does not look whole', async () => {
    const { url } = await start(async (page) => {
      if (page > 0) throw new Error('the database is away')
      return { items: ['a'], next: '1' }
    })
    await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow()
  })

  test('is read no faster than it is taken, and no more once its reader has gone', async () => {
    const { url, asked } = await start(async (page) => ({ items: ['x'.repeat(500_000)], next: String(page + 1) }))
    const reader = await openStream(url)
    reader.response.pause()
    await eventually(standsStill(asked))
    expect(asked.length).toBeLessThan(200)
    reader.request.destroy()
    await eventually(standsStill(asked))
  })
})
