import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cases } from '@plantroom/testkit/repetitions'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { analyzeSource, convertSource } from '../convert.ts'
import type { SourceKind } from '../source.ts'
import { ticketsIn } from '../testing/converted.ts'
import { written } from '../testing/read-all.ts'
import { osticket } from './osticket/index.ts'
import { zammad } from './zammad/index.ts'

/** A word that occurs nowhere else. */
const token = fc.integer({ min: 0, max: 1e9 }).map((number) => `tõken${number}x`)
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })
const moment = fc.integer({ min: 1, max: 28 }).map((day) => `2026-02-${String(day).padStart(2, '0')}T10:00:00.000Z`)
const names = fc.array(token, { maxLength: 2 })

const zammadTicket = fc.record({
  title: token,
  state: fc.constantFrom('new', 'open', 'closed', 'merged', 'pending reminder', 'Our own'),
  priority: fc.constantFrom('1 low', '2 normal', '3 high', '4 own'),
  group: optional(token),
  organization: optional(token),
  note: optional(token),
  customer: token,
  owner: fc.oneof(fc.constant('-'), token),
  close_at: optional(moment),
  apartment: optional(token),
  access: optional(fc.array(token, { minLength: 1, maxLength: 3 })),
  articles: fc.array(
    fc.record({
      body: fc.oneof(token, fc.constant('')),
      content_type: fc.constantFrom('text/plain', 'text/html'),
      internal: fc.boolean(),
      subject: optional(token),
      from: optional(token),
      created_by: token,
      created_at: moment,
      attachments: names.map((list) => list.map((filename, index) => ({ id: index + 1, filename }))),
    }),
    { maxLength: 4 },
  ),
})

const osticketTicket = fc.record({
  status: fc.oneof(fc.constantFrom('Open', 'Closed'), token),
  state: fc.constantFrom('open', 'closed', 'archived'),
  department: optional(token),
  topic: optional(token),
  team: optional(token),
  ip_address: optional(token),
  answers: fc.array(
    fc.record({
      name: token,
      label: optional(token),
      value: fc.oneof(
        token,
        token.map((text) => JSON.stringify({ key: text })),
      ),
    }),
    { maxLength: 4 },
  ),
  entries: fc.array(
    fc.record({
      type: fc.constantFrom('M', 'R', 'N'),
      flags: fc.constantFrom(0, 1, 4, 64),
      poster: token,
      title: optional(token),
      body: fc.oneof(token, fc.constant('')),
      format: fc.constantFrom('html', 'text'),
      created: moment.map((text) => text.slice(0, 19).replace('T', ' ')),
      files: names,
    }),
    { maxLength: 4 },
  ),
})

/** Checks that every word of the export is in a request or in the account. */
async function expectAllKept(kind: SourceKind, text: string): Promise<void> {
  const inputs = written({ 'export.json': text })
  const folder = temporaryFolder()
  const [output, unplacedCsv] = [join(folder, 'out.fpl'), join(folder, 'unplaced.csv')]
  const { mapping } = await analyzeSource(kind, inputs)
  await convertSource({ kind, inputs, mapping, output, unplacedCsv, allowMissing: true })
  const kept = JSON.stringify(await ticketsIn(output)) + readFileSync(unplacedCsv, 'utf8')
  const lost = [...new Set(text.match(/tõken\d+x/g))].filter((word) => !kept.includes(word))
  expect(lost, text).toEqual([])
}

const objects = (list: readonly object[]) => list.map((each) => `${JSON.stringify(each)}\n`).join('')

test('every word of tickets and articles of Zammad is in a request or in the account', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(zammadTicket, { minLength: 1, maxLength: 3 }), async (tickets) => {
      const rows = tickets.flatMap(({ articles, ...ticket }, index) => {
        const id = index + 1
        return [
          { id, number: `6700${id}`, ...ticket, created_at: '2026-02-01T09:00:00.000Z' },
          ...articles.map((article, at) => ({ id: id * 100 + at, ticket_id: id, ...article })),
        ]
      })
      await expectAllKept(zammad, objects(rows))
    }),
    cases(6),
  )
})

test('every word of tickets, answers and entries of osTicket is in a request or in the account', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(osticketTicket, { minLength: 1, maxLength: 3 }), async (tickets) => {
      const rows = tickets.flatMap(({ answers, entries, ...ticket }, index) => {
        const id = index + 1
        return [
          { kind: 'ticket', id, number: `${id}`, ...ticket, created: '2026-02-01 09:00:00' },
          ...answers.map((answer) => ({ kind: 'value', ticket_id: id, ...answer, name: 'question' })),
          ...entries.flatMap(({ files, ...entry }, at) => [
            { kind: 'entry', id: id * 100 + at, ticket_id: id, ...entry },
            ...files.map((name, file) => ({
              kind: 'file',
              entry_id: id * 100 + at,
              id: id * 1000 + at * 10 + file,
              name,
            })),
          ]),
        ]
      })
      await expectAllKept(osticket, objects(rows))
    }),
    cases(6),
  )
})
