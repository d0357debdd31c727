import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { isCampaign } from '@plantroom/testkit/repetitions'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { analyzeSource, convertSource } from '../convert.ts'
import { LANGUAGES } from '../parts/languages.ts'
import { ticketsIn } from '../testing/converted.ts'
import { readAll } from '../testing/read-all.ts'
import { languages as ofGlpi } from './glpi/languages.ts'
import { SOURCES } from './index.ts'
import { languages as ofJira } from './jira/languages.ts'
import { languages as ofRedmine } from './redmine/languages.ts'
import { languages as ofRt } from './rt/languages.ts'
import { languages as ofZendesk } from './zendesk/languages.ts'

const RADIATOR = ['Radiator is cold', 'closed', 2, '2026-04-23T14:05', '2026-04-29T08:00', '2026-04-27T09:30']
const LIFT = ['Lift stands still', 'in_progress', 3, '2026-04-24T09:00', '2026-04-24T10:00', undefined]
const DOOR = ['Door squeaks', 'on_hold', 0, '2026-04-25T09:00', '2026-04-25T10:00', undefined]
const TAP = ['Tap drips', 'new', 1, '2026-04-26T09:00', '2026-04-26T09:00', undefined]
const LAMP = ['Lamp is out', 'resolved', 0, '2026-04-26T09:00', '2026-04-28T07:00', '2026-04-28T07:00']
const ELSEWHERE = ['Wrong house', 'canceled', 1, '2026-04-26T09:00', '2026-04-28T07:00', undefined]
const replaced = (row: readonly unknown[], at: number, value: unknown) => row.with(at, value)

/** What the list of each system contains, whatever its language: id, title, state, priority, and three times. */
const EXPECTED = {
  glpi: [
    ['1035', ...RADIATOR],
    ['1036', ...LIFT],
    ['1037', ...DOOR],
    ['1038', ...TAP],
    ['1039', ...LAMP],
  ],
  redmine: [
    ['redmine-1035', ...RADIATOR],
    ['redmine-1036', ...LIFT],
    ['redmine-1037', ...DOOR],
    ['redmine-1038', ...TAP],
    ['redmine-1039', ...replaced(replaced(LAMP, 2, 3), 5, undefined)],
    ['redmine-1040', ...replaced(ELSEWHERE, 5, '2026-04-28T07:00')],
  ],
  rt: [
    ['rt-1035', ...replaced(RADIATOR, 1, 'resolved')],
    ['rt-1036', ...replaced(replaced(LIFT, 1, 'open'), 2, 1)],
    ['rt-1037', ...DOOR],
    ['rt-1038', ...replaced(TAP, 2, 0)],
    ['rt-1040', ...replaced(ELSEWHERE, 2, 0)],
  ],
  jira: [
    ['PLANT-35', ...RADIATOR],
    ['PLANT-36', ...LIFT],
    ['PLANT-38', ...TAP],
    ['PLANT-39', ...LAMP],
    // A status of its own, by its category.
    ['PLANT-41', 'Gate hums', 'in_progress', 0, '2026-04-26T09:00', '2026-04-28T07:00', undefined],
  ],
  zendesk: [
    ['1035', ...RADIATOR],
    ['1036', ...replaced(LIFT, 1, 'open')],
    ['1037', ...DOOR],
    ['1038', ...TAP],
    ['1039', ...LAMP],
    ['1042', 'Roof leaks', 'on_hold', 1, '2026-04-26T09:00', '2026-04-28T07:00', undefined],
  ],
} as const

type System = keyof typeof EXPECTED
const SYSTEMS = Object.keys(EXPECTED) as System[]

const listsOf = (system: System) => {
  const folder = join(import.meta.dirname, system, 'cases/languages')
  return readdirSync(folder).map((name) => ({
    language: basename(name, extname(name)),
    system,
    path: join(folder, name),
  }))
}

async function converted(system: System, path: string) {
  const kind = SOURCES[system]
  const { mapping } = await analyzeSource(kind, [path], { timeZone: { name: 'UTC', from: 'option' } })
  const output = join(temporaryFolder(), 'out.fpl')
  await convertSource({ kind, inputs: [path], mapping, output, allowMissing: true })
  return await ticketsIn(output)
}

describe.each(SYSTEMS)('a list of %s', (system) => {
  test.each(listsOf(system))('in $language is converted with ids, titles, states and times', async ({ path }) => {
    const tickets = await converted(system, path)
    const minute = (time: string | null | undefined) => time?.slice(0, 16)
    const rows = tickets.map((ticket) => [
      ...[ticket.externalId, ticket.title, ticket.state, ticket.priority],
      ...[minute(ticket.createdAt), minute(ticket.updatedAt), minute(ticket.resolvedAt)],
    ])
    expect(rows).toEqual(EXPECTED[system])
  })

  // All of them in a campaign.
  const some = listsOf(system).filter((_, index) => isCampaign || index % 4 === 0)
  test.each(some)('in $language may have lost case and accents of its header', async ({ path }) => {
    const raw = readFileSync(path)
    const end = raw.indexOf('\n')
    const isUtf8 = Buffer.from(raw.toString('utf8')).equals(raw)
    const header = raw.subarray(0, end).toString(isUtf8 ? 'utf8' : 'latin1')
    const plain = header
      .normalize('NFD')
      .replaceAll(/\p{M}|\ufeff/gu, '')
      .replaceAll(/ł/g, 'l')
      .toUpperCase()
    const copy = join(temporaryFolder(), basename(path))
    writeFileSync(copy, Buffer.concat([Buffer.from(plain), raw.subarray(end)]))
    const columnsOf = async (file: string) =>
      (await readAll(SOURCES[system], [file])).map(({ values }) => [...values.keys()])
    const spelled = (columns: string[][]) =>
      columns.map((each) => each.map((name) => name.toUpperCase().normalize('NFD').replaceAll(/\p{M}/gu, '')))
    expect(spelled(await columnsOf(copy))).toEqual(spelled(await columnsOf(path)))
  })
})

test('a mapping may name columns as the file does, as mappings of earlier versions do', async () => {
  const input = join(import.meta.dirname, 'glpi/cases/languages/pt-BR.csv')
  const { mapping } = await analyzeSource(SOURCES.glpi, [input], { timeZone: { name: 'UTC', from: 'option' } })
  const columns = { ID: 'externalId', Título: 'title', Status: 'state', 'Data de abertura': 'createdAt' } as const
  const output = join(temporaryFolder(), 'out.fpl')
  const options = { kind: SOURCES.glpi, inputs: [input], output }
  const { notes } = await convertSource({ ...options, mapping: { ...mapping, columns } })
  const [first] = await ticketsIn(output)
  expect(first).toMatchObject({ title: 'Radiator is cold', state: 'closed', createdAt: '2026-04-23T14:05:00.000Z' })
  expect(notes?.filter(({ code }) => code === 'columns-missing')).toEqual([])
})

test.each(Object.entries({ ofGlpi, ofJira, ofRedmine, ofRt, ofZendesk }))(
  'each row of terms %s has a cell for each language, or none',
  (_, { terms }) => {
    const tables = [terms.columns, ...Object.values(terms.states), ...Object.values(terms.priorities)]
    const rows = tables.flatMap((table) => Object.entries(table ?? {}))
    const odd = rows.filter(([, cells]) => cells !== '' && cells.split('|').length !== LANGUAGES.length)
    expect(odd).toEqual([])
  },
)
