import { join } from 'node:path'
import { guarded } from '@plantroom/base/csv'
import type { SourceName } from '@plantroom/contract/conversion'
import type { ManifestTicket } from '@plantroom/fpl/manifest'
import { cases } from '@plantroom/testkit/repetitions'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { analyzeSource, convertSource } from '../convert.ts'
import { readMappingFile } from '../mapping/index.ts'
import { SOURCES } from '../sources/index.ts'
import { ticketsIn } from '../testing/converted.ts'
import { exported, packageOf } from './testing/exported.ts'
import { FILES, someTickets } from './testing/some-package.ts'
import { fieldTexts } from './values.ts'

type Exported = Awaited<ReturnType<typeof exported>>

/** Converts the files of an export back, and returns the requests with a function that looks into both accounts. */
async function readBack(source: SourceName, { folder, account }: Exported, files: string[], attachments: string) {
  const inputs = files.map((file) => join(folder, file))
  const kind = SOURCES[source]
  const mapping =
    source === 'csv' ? await readMappingFile(join(folder, 'mapping.yaml')) : (await analyzeSource(kind, inputs)).mapping
  const output = join(temporaryFolder(), 'back.fpl')
  const accounted = account.map(({ value = '' }) => value)
  await convertSource({
    ...{ kind, inputs, mapping, output, attachments: join(folder, attachments), allowMissing: true },
    onUnplaced: ({ value }) => void accounted.push(guarded(value)),
  })
  return {
    tickets: await ticketsIn(output),
    isAccounted: (text: string) => accounted.some((value) => value.includes(guarded(text.trim()))),
  }
}

/** Fails for a field whose value is not in the field of the other request, unless an account has it. */
function expectFields(
  before: ManifestTicket,
  after: ManifestTicket | undefined,
  isAccounted: (text: string) => boolean,
) {
  const texts = after ? fieldTexts(after) : new Map()
  for (const [field, text] of fieldTexts(before)) {
    const isThere = texts.get(field)?.includes(text.trim()) || isAccounted(text)
    expect(isThere, `${field} ${JSON.stringify(text)} in ${JSON.stringify(after)}`).toBe(true)
  }
}

test('our own tables are read back with every field, comment and file that the account does not name', async () => {
  await fc.assert(
    fc.asyncProperty(
      someTickets,
      fc.boolean(),
      fc.constantFrom(',' as const, ';' as const),
      async (tickets, byteOrderMark, separator) => {
        const table = { byteOrderMark, separator }
        const out = await exported('csv', await packageOf(tickets, FILES), { table })
        const { tickets: back, isAccounted } = await readBack('csv', out, ['requests.csv', 'comments.csv'], '.')
        expect(back.length).toBe(tickets.length)
        for (const [index, ticket] of tickets.entries()) {
          const read = back[index]
          expectFields(ticket, read, isAccounted)
          expect(read?.state).toBe(ticket.state)
          expect(read?.priority ?? null).toBe(ticket.priority)
          expect(read?.attachments?.length ?? 0).toBe(ticket.attachments?.length)
          expect(read?.comments?.length ?? 0).toBe(ticket.comments?.length)
          for (const [at, comment] of (ticket.comments ?? []).entries()) {
            const other = read?.comments?.[at]
            expect(other?.createdAt ?? null).toBe(comment.createdAt)
            expect(other?.attachments?.length ?? 0).toBe(comment.attachments?.length)
            expect(other?.content === comment.content.trim() || isAccounted(comment.content)).toBe(true)
            expect(other?.author?.email ?? null).toBe(comment.author?.email ?? null)
          }
        }
      },
    ),
    cases(3),
  )
})

const GOLDEN = join(import.meta.dirname, '../sources')

test.each([
  ['redmine', ['testing/golden/issues.json', 'testing/golden/users.json'], 'testing/golden/files'],
  ['rt', ['testing/golden/tickets.json', 'testing/golden/users.json'], undefined],
  ['zendesk', ['cases/tickets.ndjson', 'cases/users.ndjson'], undefined],
] as const)('requests that came from %s are the same after the way out and back', async (name, files, folder) => {
  const inputs = files.map((file) => join(GOLDEN, name, file))
  const output = join(temporaryFolder(), 'site.fpl')
  const { mapping } = await analyzeSource(SOURCES[name], inputs)
  const attachments = folder === undefined ? undefined : join(GOLDEN, name, folder)
  await convertSource({ kind: SOURCES[name], inputs, mapping, output, attachments, allowMissing: true })
  const out = await exported('csv', output)
  expect(out.account.filter(({ column }) => column !== 'attachments.contentType')).toEqual([])
  const { tickets } = await readBack('csv', out, ['requests.csv', 'comments.csv'], '.')
  expect(tickets.map(withoutPaths)).toEqual((await ticketsIn(output)).map(withoutPaths))
})

/** Where a file is in the package, and its type, which a table has no place for. */
const withoutPaths = (ticket: ManifestTicket) =>
  JSON.parse(JSON.stringify(ticket), (name, value) => (['path', 'contentType'].includes(name) ? undefined : value))

test('a table of comments that is not in the order of its requests is refused', async () => {
  const ticket = (externalId: string): ManifestTicket => ({ externalId, title: 'x', state: 'new' })
  const comments = [{ content: 'first' }]
  const out = await exported('csv', await packageOf([ticket('A'), { ...ticket('B'), comments }]))
  const other = await exported('csv', await packageOf([ticket('A')]))
  const inputs = [join(other.folder, 'requests.csv'), join(out.folder, 'comments.csv')]
  await expect(analyzeSource(SOURCES.csv, inputs)).rejects.toThrow(
    'comment in row 2: Request: the request B is not in the other table, or not in the same order',
  )
})

test.each([
  ['jira', 'issues.csv', 'attachments'],
  ['redmine', 'issues.csv', '.'],
] as const)('the table for %s is read by our own converter, with states and priorities', async (name, file, folder) => {
  await fc.assert(
    fc.asyncProperty(someTickets, async (tickets) => {
      const out = await exported(name, await packageOf(tickets, FILES))
      const { tickets: back, isAccounted } = await readBack(name, out, [file], folder)
      expect(back.map(({ externalId }) => externalId)).toEqual(tickets.map(({ externalId }) => externalId))
      for (const [index, ticket] of tickets.entries()) {
        const state = name === 'redmine' && ticket.state === 'open' ? 'new' : ticket.state
        expect(back[index]?.state).toBe(state)
        expect(back[index]?.priority ?? null).toBe(ticket.priority)
        if (name === 'jira') expect(back[index]?.comments?.length ?? 0).toBe(ticket.comments?.length)
        const all = JSON.stringify(back[index])
        for (const [field, text] of fieldTexts(ticket)) {
          const isThere = text.split('\n').every((part) => all.includes(JSON.stringify(part.trim()).slice(1, -1)))
          expect(isThere || field === 'state' || isAccounted(text), `${field}: ${text} in ${all}`).toBe(true)
        }
      }
    }),
    cases(3),
  )
})
