import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { BOUNDS } from '../limits.ts'
import { createManifestScanner } from '../manifest/scanner.ts'
import { createManifestChecker } from './checker.ts'
import { invalidManifest } from './problems.ts'
import { packageWith } from './testing/package-with.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const ticket = { externalId: 'A-1', title: 'Leaking tap', state: 'new' }

function findingsOf(tickets: readonly unknown[], files: readonly string[] = []) {
  const checker = createManifestChecker(packageWith(files))
  checker.field('version', '1.0')
  tickets.forEach((each, index) => {
    checker.ticket(index, each)
  })
  checker.ticketsEnd?.(tickets.length)
  return checker.findings()
}

describe('the manifest checker', () => {
  test('counts tickets, comments and attachments and collects the files that the manifest mentions', () => {
    const file = (path: string) => ({ path: `attachments/${path}` })
    const { mentioned, ...findings } = findingsOf(
      [
        { ...ticket, attachments: [file('a'), file('b')] },
        { ...ticket, externalId: 'A-2', comments: [{ content: '', attachments: [file('a')] }, { content: 'Thanks' }] },
      ],
      ['attachments/a', 'attachments/b', 'attachments/c'],
    )
    expect(findings).toEqual({ problems: [], problemCount: 0, tickets: 2, comments: 2, attachments: 3 })
    expect([...mentioned].map(({ path }) => path)).toEqual(['attachments/a', 'attachments/b'])
  })

  test('also counts the contents of an invalid ticket', () => {
    const { tickets, comments, attachments } = findingsOf([
      null,
      { comments: [null, { attachments: [1, 2] }, { attachments: 'x' }], attachments: [{}] },
    ])
    expect({ tickets, comments, attachments }).toEqual({ tickets: 2, comments: 3, attachments: 3 })
  })
})

describe('a problem', () => {
  test('has a path, a value and a rule', () => {
    const { problems } = findingsOf([
      { ...ticket, priority: 7, attachments: [{ path: 'attachments/a' }, { path: 'b' }] },
    ])
    expect(problems).toEqual([
      {
        path: 'tickets[0].priority',
        value: '7',
        rule: 'must be one of: 0, 1, 2, 3',
        message: 'tickets[0].priority: 7 must be one of: 0, 1, 2, 3',
      },
      {
        path: 'tickets[0].attachments[0].path',
        value: 'attachments/a',
        rule: 'is not in the package',
        message: 'tickets[0] (externalId A-1).attachments[0].path attachments/a is not in the package',
      },
      {
        path: 'tickets[0].attachments[1].path',
        value: null,
        rule: 'must start with attachments/',
        message: 'tickets[0] (externalId A-1).attachments[1].path must start with attachments/',
      },
    ])
    expect(findingsOf([ticket, ticket]).problems).toEqual([
      {
        path: 'tickets[1]',
        value: 'A-1',
        rule: 'duplicate externalId',
        message: 'tickets[1] (externalId A-1): duplicate externalId',
      },
    ])
  })
})

describe('the message', () => {
  test('lists the first 20 problems', () => {
    const { problems } = findingsOf(Array.from({ length: 21 }, () => null))
    const lines = problems.map((_, index) => `tickets[${index}]: null must be an object`)
    expect(invalidManifest(problems)).toBe(`Invalid manifest: ${lines.slice(0, 20).join('; ')}`)
    expect(invalidManifest(problems.slice(0, 1))).toBe('Invalid manifest: tickets[0]: null must be an object')
  })
})

describe('a manifest with very many problems', () => {
  test('keeps the first 10,000 and counts all of them', () => {
    const { problems, problemCount, tickets } = findingsOf(Array.from({ length: 10_000 }, () => ({ id: 1 })))
    expect(problems.length).toBe(BOUNDS.problemsInReport)
    expect(problems.at(-1)?.path).toBe('tickets[2499]')
    expect(problemCount).toBe(40_000)
    expect(tickets).toBe(10_000)
  })

  test('keeps problems of the manifest itself before others', () => {
    const checker = createManifestChecker(packageWith([]))
    for (let index = 0; index < 10_000; index += 1) checker.ticket(index, null)
    for (let index = 0; index < 10_000; index += 1) checker.field(`field${index}`, index)
    checker.ticketsEnd?.(10_000)
    const { problems, problemCount } = checker.findings()
    expect(problemCount).toBe(20_001)
    expect(problems.length).toBe(BOUNDS.problemsInReport)
    expect(problems[0]?.message).toBe('manifest: must have required field version')
    expect(problems.at(-1)?.message).toBe('manifest: must not have unknown field field9998')
  })

  test('no longer compares ids once the report is full', () => {
    const broken = Array.from({ length: 9_999 }, () => null)
    expect(findingsOf([...broken, ticket, ticket]).problemCount).toBe(10_000)
    expect(findingsOf([...broken, null, ticket, ticket]).problemCount).toBe(10_000)
  })

  test('counts every problem of a single ticket', () => {
    const comments = Array.from({ length: 199_990 }, () => ({}))
    expect(findingsOf([{ ...ticket, comments }]).problemCount).toBe(199_990)
    const unknown = Object.fromEntries(comments.map((_, index) => [`field${index}`, 1]))
    expect(findingsOf([{ ...ticket, ...unknown }]).problemCount).toBe(199_990)
  })

  test('does not retain a long value for the sake of the part it shows', () => {
    const checker = createManifestChecker(packageWith([]))
    const inUse = () => {
      collectGarbage()
      return process.memoryUsage().heapUsed
    }
    const before = inUse()
    for (let index = 0; index < 1000; index += 1) {
      checker.ticket(index, { ...ticket, externalId: `${index}`, title: Buffer.alloc(65_536, `${index} `).toString() })
    }
    expect(inUse() - before).toBeLessThan(20e6)
    expect(checker.findings().problems.length).toBe(1002)
  })
})

describe('a text that the scanner shortens', () => {
  const blank = ' '.repeat(80_000)
  const long = 'x'.repeat(80_000)

  test.each([
    ['a long comment', { comments: [{ content: long }] }],
    ['a comment with a long blank start', { comments: [{ content: `${blank}x` }] }],
    ['a blank comment', { comments: [{ content: blank }] }],
    ['a long description', { description: long }],
    ['a long title', { title: long }],
    ['a title with a long blank start', { title: `${blank}x` }],
    ['a long state', { state: `new${long}` }],
    ['a long email', { assignee: `${long}@example.com` }],
    ['a long date', { createdAt: `2026-01-01T00:00:00.${'0'.repeat(80_000)}Z` }],
    ['a person whose name has a long blank start', { reporter: { name: `${blank}x` } }],
    ['a long externalId', { externalId: long }],
    ['a path that is unsafe at its end', { attachments: [{ path: `attachments/${long}/..` }] }],
    [
      'names that differ at their end',
      { attachments: [0, 1].map((end) => ({ path: 'attachments/a', name: long + end })) },
    ],
    ['names of the longest characters', { attachments: [{ path: 'attachments/a', name: '\u{1f600}'.repeat(20_000) }] }],
    ['a long unknown field', { [long]: 1 }],
    ['a long text in the wrong place', { safetyHazard: long, tags: { a: long } }],
  ])('is checked as if it were complete: %s', (_, fields) => {
    const escaped = JSON.stringify({ version: '1.0', tickets: [{ ...ticket, ...fields }] }).replace(
      /[\ud800-\udfff]/g,
      (half) => `\\u${half.charCodeAt(0).toString(16)}`,
    )
    const judged = [{}, { cutTextsOver: 65_536 }].map((options) => {
      const checker = createManifestChecker(packageWith(['attachments/a']))
      const scanner = createManifestScanner(checker, options)
      scanner.push(Buffer.from(escaped))
      scanner.end()
      return checker.findings()
    })
    expect(judged[1]).toEqual(judged[0])
  })
})
