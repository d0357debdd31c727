import { correlate, currentCorrelation } from '@plantroom/base/correlation'
import { createLog } from '@plantroom/base/log'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { expect, test } from 'vitest'
import { createGroupWriter } from './group-writer.ts'

/** A writer whose statements the test ends. */
function open(own: { most?: number; shareOf?(item: number): string } = {}) {
  const clock = createManualClock()
  const lines: string[] = []
  const log = createLog('test', 'warn', { write: (line) => void lines.push(line) })
  const statements: { items: readonly number[]; end(error?: Error): void }[] = []
  const write = (items: readonly number[]) =>
    new Promise<void>((resolve, reject) => {
      statements.push({ items, end: (error) => (error ? reject(error) : resolve()) })
    })
  const writer = createGroupWriter({ write, what: 'numbers', clock, log, ...own })
  const end = async (error?: Error) => {
    statements.at(-1)?.end(error)
    await clock.advance(0)
  }
  return { writer, statements, clock, lines, end, written: () => statements.map(({ items }) => items) }
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)

test('gathers items while a group is written, and then writes them together', async () => {
  const { writer, written, end } = open()
  writer.add(1)
  writer.add(2, 3)
  writer.add(4)
  expect(written()).toEqual([[1]])
  await end()
  expect(written()).toEqual([[1], [2, 3, 4]])
  await end()
  writer.add(5)
  expect(written()).toEqual([[1], [2, 3, 4], [5]])
})

test('writes what a request adds as work of the service: a group also has items of others', async () => {
  const asked: object[] = []
  const [clock, log] = [createManualClock(), createLog('test', 'silent')]
  const write = async () => void asked.push(currentCorrelation())
  const writer = createGroupWriter({ write, what: 'numbers', clock, log })
  correlate({ organizationId: 'org' }, () => writer.add(1))
  await writer.close()
  expect(asked).toEqual([{}])
})

test('writes at most 50 items in one statement', async () => {
  const { writer, written, end } = open()
  writer.add(...upTo(101))
  await end()
  await end()
  await end()
  expect(written().map(({ length }) => length)).toEqual([50, 50, 1])
  expect(written().flat()).toEqual(upTo(101))
})

test('lets the items of one wait for one statement, however many another one has', async () => {
  const shareOf = (item: number) => (item < 0 ? 'few' : 'many')
  const { writer, written, end } = open({ shareOf })
  writer.add(...upTo(250))
  writer.add(-1, -2)
  await end()
  expect(written()[1]).toEqual([...upTo(75).slice(50), -1, -2, ...upTo(98).slice(75)])
  for (let left = 5; left > 0; left -= 1) await end()
  expect(
    written()
      .flat()
      .toSorted((a, b) => a - b),
  ).toEqual([-2, -1, ...upTo(250)])
})

test('gives each its place in a statement, however many they are', async () => {
  const { writer, written, end } = open({ shareOf: (item) => String(item % 30) })
  writer.add(...upTo(90))
  await end()
  // Each has three items: two rounds of one, until the statement is full.
  expect(written()[0]).toEqual([...upTo(30), ...upTo(50).slice(30)])
})

test('retries a group after a second, and names what could not be stored', async () => {
  const { writer, written, clock, lines, end } = open()
  writer.add(1)
  await end(new Error('the connection was lost'))
  expect(clock.waiting()).toEqual([1_000])
  await clock.advance(999)
  expect(written()).toEqual([[1]])
  await clock.advance(1)
  expect(written()).toEqual([[1], [1]])
  expect(JSON.parse(lines.join())).toMatchObject({
    msg: 'could not store numbers; retrying',
    err: { message: 'the connection was lost' },
  })
})

test('drops items while as many wait as may', async () => {
  const { writer, written, end } = open({ most: 2 })
  writer.add(1)
  writer.add(2)
  writer.add(3)
  await end()
  expect(written()).toEqual([[1], [2]])
})

test('closes when everything is written', async () => {
  const { writer, written, clock, end } = open()
  writer.add(1)
  writer.add(2)
  let isClosed = false
  const closed = writer.close().then(() => {
    isClosed = true
  })
  await end()
  await clock.advance(0)
  expect([written(), isClosed]).toEqual([[[1], [2]], false])
  await end()
  await closed
})

test('closes without what the database does not take', async () => {
  const { writer, written, clock, end } = open()
  writer.add(1)
  await end(new Error('the connection was lost'))
  const closed = writer.close()
  await clock.advance(0)
  // It tries once more, and no longer waits.
  expect([written(), clock.waiting()]).toEqual([[[1], [1]], []])
  await end(new Error('the connection was lost'))
  await closed
  expect(written()).toHaveLength(2)
})
