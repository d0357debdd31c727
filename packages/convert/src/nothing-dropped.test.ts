import { TARGETS, type Target } from '@plantroom/contract/conversion'
import { TICKET_STATES } from '@plantroom/contract/request-fields'
import { formatTimestamp, parseTimestamp } from '@plantroom/contract/timestamp'
import type { ManifestTicket } from '@plantroom/fpl/manifest'
import { cases } from '@plantroom/testkit/repetitions'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { converted } from './testing/converted.ts'

const DATES: ReadonlySet<Target> = new Set(['createdAt', 'updatedAt', 'resolvedAt', 'stateChangedAt'])

const someText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom(
    'a@b.ee',
    'Mari <mari@example.ee>',
    'x; y, z',
    '1',
    '007',
    'true',
    'open',
    'Half done',
    'neutral',
    ';',
    '=1+1',
    'x'.repeat(300),
  ),
  fc.constantFrom('line one\nline two', '"quoted"', ' padded ', 'Nul\0character', 'half \ud800 pair', '-5', "'tick"),
)
const someDate = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => formatTimestamp(date.getTime()))
const table = fc.array(fc.constantFrom(...TARGETS), { minLength: 1, maxLength: 12 }).chain((targets) =>
  fc.record({
    targets: fc.constant(targets),
    rows: fc.array(fc.tuple(...targets.map((target) => (DATES.has(target) ? someDate : someText))), {
      minLength: 1,
      maxLength: 4,
    }),
  }),
)

const STATES = { 'Half done': 'in_progress', open: 'open' } as const
const PRIORITIES = { '1': 1 } as const
const storable = (text: string) => text.replaceAll('\0', '\ufffd').toWellFormed()

/** Every text of a request, in one. */
function textsOf(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Object.values(value).map(textsOf).join('\u0001')
  return String(value)
}

/** True if the cell is in its request, as itself or in the form that its field has. */
function isInRequest(value: string, target: Target, ticket: ManifestTicket): boolean {
  if (textsOf(ticket).includes(value)) return true
  if (DATES.has(target)) return textsOf(ticket).includes(formatTimestamp(parseTimestamp(value) ?? 0))
  if (target === 'state')
    return (
      ticket.state === (STATES as Record<string, string>)[value] ||
      TICKET_STATES.some((state) => state === value.toLowerCase())
    )
  if (target === 'priority') return value === '1' && ticket.priority === 1
  if (target === 'safetyHazard') return typeof ticket.safetyHazard === 'boolean' && ['1', 'true'].includes(value)
  // The parts of a list have fields of their own.
  if (['tags', 'watchers', 'ccEmails'].includes(target)) {
    return value.split(/[;,\n|]/).every((part) => textsOf(ticket).includes(part.trim().replace(/^Mari <|>$/g, '')))
  }
  return value === 'Mari <mari@example.ee>' && textsOf(ticket).includes('mari@example.ee')
}

test('every cell of a table is in its request or in the account', async () => {
  await fc.assert(
    fc.asyncProperty(table, async ({ targets, rows }) => {
      const names = ['Key', ...targets.map((target, index) => `${index} ${target}`)]
      // Ids that a random column sets would collide with each other.
      const columns = Object.fromEntries(
        names.map((name, index) => [name, index === 0 ? 'externalId' : targets[index - 1]]),
      )
      const body = rows.map((cells, index) => [`id ${index}`, ...cells])
      const { report, tickets, account } = await converted(
        temporaryFolder(),
        [names, ...body],
        { columns: columns as Record<string, Target>, states: STATES, priorities: PRIORITIES },
        { allowMissing: true },
      )
      expect(report).toMatchObject({ valid: true, tickets: rows.length })
      const accounted = parse(account, { columns: true, relax_column_count: false }) as Record<string, string>[]
      for (const [index, cells] of rows.entries()) {
        const ticket = tickets[index] as ManifestTicket
        for (const [at, cell] of cells.entries()) {
          const value = storable(String(cell).trim())
          if (value === '') continue
          const name = names[at + 1] as string
          const parts = value.split(/[;,\n|]/).map((part) => part.trim())
          const isAccounted = accounted.some(
            (entry) => entry.column === name && [value, `'${value}`, ...parts].includes(entry.value ?? ''),
          )
          const isThere = isAccounted || isInRequest(value, targets[at] as Target, ticket)
          expect(isThere, `${name}: ${JSON.stringify(value)} in ${JSON.stringify(ticket)}\n${account}`).toBe(true)
        }
      }
    }),
    cases(8),
  )
})
