import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, test } from 'vitest'
import { analyzeSource, convertSource } from './convert.ts'
import type { SourceKind } from './source.ts'
import { glpi } from './sources/glpi/index.ts'
import { jira } from './sources/jira/index.ts'
import { redmine } from './sources/redmine/index.ts'
import { rt } from './sources/rt/index.ts'
import { xlsx } from './sources/xlsx/index.ts'
import { zammad } from './sources/zammad/index.ts'
import { zendesk } from './sources/zendesk/index.ts'
import { ticketsIn } from './testing/converted.ts'

const at = (folder: string, ...names: string[]) =>
  names.map((name) => join(import.meta.dirname, 'sources', folder, name))
const dump = readdirSync(join(import.meta.dirname, 'sources/glpi/cases')).filter((name) => name.endsWith('.json'))
const replies = ['issues.json', 'users.json', 'time-entries.json', 'names.json', 'attachments.csv']

const EXPORTS: readonly (readonly [name: string, kind: SourceKind, inputs: readonly string[]])[] = [
  ...['en', 'fr', 'de'].map(
    (language) => [`glpi-csv-${language}`, glpi, at('glpi/cases', `tickets-${language}.csv`, 'users-en.csv')] as const,
  ),
  ['glpi-api', glpi, at('glpi/cases', ...dump)],
  ['jira-csv', jira, at('jira/cases', 'issues.csv', 'users.csv')],
  ['jira-xml', jira, at('jira/cases', 'issues.xml')],
  ['redmine-api', redmine, at('redmine/testing/golden', ...replies)],
  ['redmine-csv', redmine, at('redmine/testing/golden', 'issues.csv', 'users.json')],
  ['rt-api', rt, at('rt/testing/golden', 'tickets.json', 'users.json')],
  ['rt-tsv', rt, at('rt/testing/golden', 'results.tsv')],
  ['zammad', zammad, at('zammad/golden', 'tickets.json', 'articles.json', 'users.json', 'tags.json')],
  ['xlsx', xlsx, at('xlsx/cases', 'work-orders.xlsx')],
  [
    'zendesk',
    zendesk,
    at('zendesk/cases', 'tickets.ndjson', 'users.ndjson', 'organizations.json', 'ticket_fields.json'),
  ],
]

// A wanted change: run this file with `-u`, and read the difference.
test.each(EXPORTS)('%s becomes the requests of testing/recorded', async (name, kind, inputs) => {
  const [folder, timeZone] = [temporaryFolder(), { name: 'Europe/Tallinn', from: 'site' } as const]
  const [output, unplacedCsv] = [join(folder, 'a.fpl'), join(folder, 'unplaced.csv')]
  // Each of its three dates fits both orders.
  const dateOrder = name === 'glpi-csv-fr' ? 'dmy' : undefined
  const { mapping, columns, ...analysis } = await analyzeSource(kind, inputs, { timeZone, dateOrder })
  const result = await convertSource({ kind, inputs, mapping, output, unplacedCsv, allowMissing: true })
  const unplaced = readFileSync(unplacedCsv, 'utf8').trimEnd().split('\r\n')
  const { columns: targets, ...tables } = mapping
  const values = [
    analysis,
    ...columns,
    ...Object.entries(targets),
    tables,
    result,
    ...(await ticketsIn(output)),
    ...unplaced,
  ]
  const recorded = join(import.meta.dirname, 'testing/recorded', `${name}.ndjson`)
  await expect(values.map((value) => `${JSON.stringify(value)}\n`).join('')).toMatchFileSnapshot(recorded)
})
