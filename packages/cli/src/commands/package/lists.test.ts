import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OperationInput } from '@plantroom/client/client'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../../command.ts'
import { numbersOf, problemsOf, requireListName, writeList } from './lists.ts'

async function* rowsOf(...rows: Record<string, string | number | null>[]) {
  yield* rows
}

async function all<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const found: Row[] = []
  for await (const row of rows) found.push(row)
  return found
}

const columns = ['externalId', 'number']
const target = (name: string) => join(temporaryFolder(), name)

describe('a list about a job', () => {
  test('is CSV if the file name says so', async () => {
    const path = target('numbers.CSV')
    const rows = rowsOf(
      { externalId: '=1+1', number: 7 },
      { externalId: 'a,b', number: 8 },
      { externalId: 'c', number: null },
    )
    expect(await writeList(path, { columns, rows })).toBe(3)
    expect(readFileSync(path, 'utf8')).toBe('externalId,number\r\n\'=1+1,7\r\n"a,b",8\r\nc,\r\n')
  })

  test.each([
    [[]],
    [[{ externalId: 'A"1', number: 7 }]],
    [
      [
        { externalId: 'A', number: 7 },
        { externalId: 'B', number: 8 },
      ],
    ],
  ])('is a JSON array if the file name says so: %j', async (rows) => {
    const path = target('numbers.json')
    await writeList(path, { columns, rows: rowsOf(...rows) })
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(rows)
  })

  test('appears complete or not at all', async () => {
    const folder = temporaryFolder()
    async function* breaking() {
      yield { externalId: 'A', number: 1 }
      throw new Error('gone')
    }
    await expect(writeList(join(folder, 'numbers.csv'), { columns, rows: breaking() })).rejects.toThrow('gone')
    expect(readdirSync(folder)).toEqual([])
  })

  test.each(['numbers', 'numbers.txt', 'site.fpl', ''])('is not written to a file named %j', (name) => {
    expect(() => requireListName('--numbers', name)).toThrow(UsageError)
  })

  test('is read page by page', async () => {
    const requested: (string | undefined)[] = []
    const pageOf = <Item>(items: Item[], { query }: OperationInput<'listJobNumbers' | 'listJobProblems'>) => {
      const cursor = query?.cursor
      requested.push(cursor)
      return { items: cursor === undefined ? items.slice(0, 1) : items.slice(1), nextCursor: cursor ? null : '0' }
    }
    const job = { orgId: 'org_1', propertyId: 'site_1', jobId: 'job_1' }
    const numbers = [1, 2, 3].map((number) => ({ externalId: `A-${number}`, number }))
    const problems = [1, 2].map((at) => ({
      ...{ row: at + 1, externalId: `A-${at}` },
      ...{ path: `tickets[${at}]`, value: null, rule: 'must not be' },
    }))
    const client = {
      async listJobNumbers(input: OperationInput<'listJobNumbers'>) {
        const { items, nextCursor } = pageOf(numbers, input)
        return { numbers: items, nextCursor }
      },
      async listJobProblems(input: OperationInput<'listJobProblems'>) {
        const { items, nextCursor } = pageOf(problems, input)
        return { problems: items, nextCursor }
      },
    }
    expect(await all(numbersOf(client, job))).toEqual(numbers)
    expect(await all(problemsOf(client, job))).toEqual(problems.map(({ path, value, rule }) => ({ path, value, rule })))
    expect(requested).toEqual([undefined, '0', undefined, '0'])
  })
})
