import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { analyzeSource, convertSource } from '../convert.ts'
import type { SourceKind } from '../source.ts'
import { glpi } from '../sources/glpi/index.ts'
import { redmine } from '../sources/redmine/index.ts'
import { converted, problemsOf, ticketsIn } from '../testing/converted.ts'
import { readAll, written } from '../testing/read-all.ts'

describe('a request without a listed state', () => {
  const ROWS = [
    ['ID', 'Title', 'Status', 'Resolved'],
    ['1', 'a', 'Odd', '2026-01-02'],
    ['2', 'b', '', '2026-01-02'],
    ['3', 'c', 'Odd', ''],
  ]

  test('is resolved if it has a resolved date, and the result counts it', async () => {
    const { tickets, result, account } = await converted(temporaryFolder(), ROWS)
    expect(tickets.map(({ state }) => state)).toEqual(['resolved', 'resolved', 'new'])
    expect(tickets[0]?.notes).toBe('Status: Odd')
    expect(account).toContain('row 2,Status,Odd,"the state resolved, with the value in the notes"')
    expect(result.notes).toEqual([expect.objectContaining({ code: 'requests-by-evidence', count: 2 })])
  })

  test('gets the other state if the mapping says so', async () => {
    const { tickets } = await converted(temporaryFolder(), ROWS, { stateFromEvidence: false, otherState: 'open' })
    expect(tickets.map(({ state }) => state)).toEqual(['open', 'open', 'open'])
  })

  test('follows the mapping, whatever its dates say', async () => {
    const { tickets } = await converted(temporaryFolder(), ROWS, { states: { Odd: 'on_hold' } })
    expect(tickets.map(({ state }) => state)).toEqual(['on_hold', 'resolved', 'on_hold'])
  })
})

test('a status that Redmine calls closed is closed, and any other open, even with a date from before', async () => {
  const issue = (id: number, status: object) => ({
    ...{ id, subject: 'a', status, created_on: '2026-01-01T00:00:00Z', closed_on: '2026-01-02T00:00:00Z' },
    ...{ journals: [], attachments: [] },
  })
  const statuses = { issue_statuses: [{ id: 9, name: 'Hüperaktiivne', is_closed: true }] }
  const replies = [
    { issue: issue(1, { id: 8, name: 'Archiviert', is_closed: true }) },
    { issue: issue(2, { id: 7, name: 'Wieder da', is_closed: false }) },
    { issue: issue(3, { id: 9, name: 'Hüperaktiivne' }) },
    statuses,
  ]
  const inputs = written({ 'issues.json': replies.map((reply) => JSON.stringify(reply)).join('\n') })
  const { mapping } = await analyzeSource(redmine, inputs)
  expect(mapping.states).toEqual({ Archiviert: 'closed', 'Wieder da': 'open', Hüperaktiivne: 'closed' })
})

test('a ticket of GLPI with a closing date is closed', async () => {
  const list = 'ID;Title;Status;Closing date\n1;a;Zu;2026-01-02 10:00\n2;b;Auf;\n'
  const records = await readAll(glpi, written({ 'tickets.csv': list }))
  expect(records.map(({ evidence }) => evidence)).toEqual(['closed', undefined])
})

describe('an export of a known system without a known title and state', () => {
  const list = 'ID;Zaglavlje;Stanje;Datum\n1;Luč;Rešeno;2026-01-02 10:00\n'
  const convert = async (kind: SourceKind, columns: Record<string, 'title' | 'state'>) => {
    const inputs = written({ 'tickets.csv': list })
    const { mapping, notes } = await analyzeSource(kind, inputs)
    expect(notes?.[0]).toMatchObject({ code: 'system-unrecognized', subject: 'GLPI' })
    const output = join(temporaryFolder(), 'out.fpl')
    await convertSource({ kind, inputs, mapping: { ...mapping, columns: { ...mapping.columns, ...columns } }, output })
    return ticketsIn(output)
  }

  test('gives no package', async () => {
    expect(await problemsOf(convert(glpi, {}))).toEqual([
      'mapping: columns: no title and no state of GLPI was recognized among ID, Zaglavlje, Stanje, Datum; make a mapping (--map FILE on the command line) in which one column becomes title or state',
    ])
  })

  test('is converted with a mapping that names them', async () => {
    expect(await convert(glpi, { Zaglavlje: 'title' })).toMatchObject([{ title: 'Luč' }])
  })
})
