import { cases } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sourceOf } from '../manifest/json-source.ts'
import { createManifestScanner } from '../manifest/scanner.ts'
import { createManifestChecker, type Findings } from './checker.ts'
import { FILES, mistakenManifests } from './testing/manifests.ts'
import { packageWith } from './testing/package-with.ts'

const TICKET = '"externalId":"A-1","title":"x","state":"new"'

/** Checks tickets as large ones, in parts of at most `smallBytes`. */
function findingsOf(tickets: readonly string[], smallBytes: number) {
  const checker = createManifestChecker(packageWith(FILES), { smallBytes })
  checker.field('version', '1.0')
  tickets.forEach((ticket, index) => {
    checker.largeTicket(index, sourceOf(Buffer.from(ticket), { hasEscapedName: true }), 1)
  })
  checker.ticketsEnd(tickets.length)
  return checker.findings()
}

function findingsAtOnce(tickets: readonly string[]) {
  const checker = createManifestChecker(packageWith(FILES))
  const scanner = createManifestScanner({ ...checker })
  scanner.push(Buffer.from(`{"version":"1.0","tickets":[${tickets.join()}]}`))
  scanner.end()
  return checker.findings()
}

const sorted = ({ problems, ...counts }: Omit<Findings, 'mentioned'>) => ({
  ...counts,
  problems: problems.toSorted((one, other) => (one.message < other.message ? -1 : 1)),
})

describe('a ticket that is checked part by part', () => {
  test('has the same problems, counts and files as one that is parsed at once', () => {
    fc.assert(
      fc.property(mistakenManifests, fc.constantFrom(0, 20, 200), fc.constantFrom(0, 2), (text, small, indent) => {
        const { tickets } = (JSON.parse(text) ?? {}) as { tickets?: unknown }
        fc.pre(Array.isArray(tickets))
        const sources = (tickets as unknown[]).map((ticket) => JSON.stringify(ticket, null, indent))
        const { mentioned, ...parts } = findingsOf(sources, small)
        const { mentioned: mentionedAtOnce, ...atOnce } = findingsAtOnce(sources)
        // Fields with whole-number names come first in a parsed object, and in their place in the source.
        expect(sorted(parts)).toEqual(sorted(atOnce))
        if (atOnce.problemCount === 0) {
          expect([...mentioned].map(({ path }) => path)).toEqual([...mentionedAtOnce].map(({ path }) => path))
        }
      }),
      cases(40),
    )
  })

  test.each([
    ['of the ticket', `{${TICKET},"\\u0074itle":"y"}`, 'the name `title` is used twice in tickets[0]'],
    ['in a part', `{${TICKET},"comments":[{"content":"x","content":"y"}]}`, 'in tickets[0].comments[0]'],
    ['in a nested part', `{${TICKET},"comments":[{"content":"x","author":{"name":"a","name":"b"}}]}`, 'in tickets[0].'],
  ])('is not a valid manifest if a name is used twice: %s', (_, ticket, detail) => {
    for (const small of [0, 30, 60]) {
      expect(() => findingsOf([ticket], small)).toThrow(
        expect.objectContaining({
          message: expect.stringMatching(/^Invalid manifest: the name /),
          detail: expect.stringContaining(detail),
        }),
      )
    }
  })

  test('shows the start of a large value in the wrong place, and counts every problem', () => {
    const many = (item: string) => `[${Array(50_000).fill(item).join()}]`
    const { problems, problemCount, comments } = findingsOf(
      [
        `{${TICKET},"title":1,"safetyHazard":${many('[]')},"unknown":${many('{}')},"comments":${many('{}')}}`.replace(
          '"title":"x",',
          '',
        ),
      ],
      64,
    )
    expect(problems.slice(0, 4).map(({ message }) => message)).toEqual([
      'tickets[0]: must not have unknown field unknown',
      'tickets[0].title: 1 must be text',
      `tickets[0].safetyHazard: ${'[[]'.padEnd(100, ',[]')}… must be true, false or null`,
      'tickets[0].comments[0]: must have required field content',
    ])
    expect([problemCount, comments]).toEqual([50_003, 50_000])
  })

  test.each([
    [1_000_000, []],
    [
      1_000_001,
      [
        'tickets[0] (externalId A-1): must have at most 1000000 values, but has 1000001: divide its comments, attachments, tags and emails among several requests',
      ],
    ],
  ])('with %i values fits into the memory of a job or not', (values, messages) => {
    const checker = createManifestChecker(packageWith(FILES))
    checker.field('version', '1.0')
    checker.largeTicket(0, sourceOf(Buffer.from(`{${TICKET}}`), { hasEscapedName: false }), values)
    checker.ticketsEnd(1)
    expect(checker.findings().problems.map(({ message }) => message)).toEqual(messages)
  })

  test('finds a name that is used twice among thousands', () => {
    const attachment = (name: number) => `{"path":"attachments/a.txt","name":"${name}"}`
    const list = Array.from({ length: 3_000 }, (_, index) => attachment(index))
    const { problems, mentioned } = findingsOf(
      [`{${TICKET},"attachments":[${[...list, attachment(2_999)].join()}]}`],
      64,
    )
    expect(problems.map(({ message }) => message)).toEqual([
      'tickets[0] (externalId A-1).attachments[3000].name 2999 is used twice',
    ])
    expect(mentioned.size).toBe(1)
  })
})
