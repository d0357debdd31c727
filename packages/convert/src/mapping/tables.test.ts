import { TARGETS } from '@plantroom/contract/conversion'
import { TICKET_STATES } from '@plantroom/contract/request-fields'
import { describe, expect, test } from 'vitest'
import { SOURCES } from '../sources/index.ts'
import { languages } from '../sources/redmine/languages.ts'
import { folded } from '../text/folded.ts'
import { PRESETS } from './presets.ts'
import { HEADERS, priorityOf, stateOf } from './vocabulary.ts'

const sources = Object.values(SOURCES).flatMap(({ name, label, defaultMapping }) =>
  defaultMapping ? [[name, { label, ...defaultMapping }] as const] : [],
)

describe.each([...sources, ...Object.entries(PRESETS)])('the tables of %s', (_name, tables) => {
  const { label, columns = {}, states = {}, priorities = {} } = tables

  test('have names, each with a target, a state or a priority that there is', () => {
    const names = [label, ...[columns, states, priorities].flatMap((table) => Object.keys(table))]
    expect(names.filter((name) => name === '' || name.trim() !== name)).toEqual([])
    expect(Object.entries(columns).filter(([, target]) => !TARGETS.includes(target))).toEqual([])
    expect(Object.entries(states).filter(([, state]) => !TICKET_STATES.some((known) => known === state))).toEqual([])
    expect(Object.values(priorities).filter((priority) => ![0, 1, 2, 3, null].includes(priority))).toEqual([])
  })

  test('agree with the words that every table understands', () => {
    const known = Object.entries(priorities).filter(([name]) => priorityOf(name) !== undefined)
    // GLPI's Major is above its Very high.
    const own = known.filter(([name, priority]) => priorityOf(name) !== priority).map(([name]) => name)
    expect(own).toEqual(label === 'GLPI' ? ['Major'] : [])
  })
})

describe('the words that every table understands', () => {
  test.each(Object.entries(HEADERS))('have no empty header and none twice: %s', (_target, headers) => {
    expect(headers.filter((header) => folded(header) === '' || header.trim().toLowerCase() !== header)).toEqual([])
    expect(new Set(headers).size).toBe(headers.length)
  })

  test('mean no state and no priority when there is no word', () => {
    expect([stateOf(''), priorityOf('')]).toEqual([undefined, undefined])
  })

  test.each([
    ...['new', 'neu', 'Uus', 'Submitted', 'Not-Started', 'gemeldet', 'esitatud', 'Draft'].map((word) => [word, 'new']),
    ...['open', 'Offen', 'avatud', 'reopened', 'to do', 'ToDo', 'scheduled'].map((word) => [word, 'open']),
    ...['In Progress', 'inProgress', 'in_progress', 'in Arbeit', 'Töös'].map((word) => [word, 'in_progress']),
    ...['on hold', 'Waiting for parts', 'wartet auf Ersatzteile', 'ootel'].map((word) => [word, 'on_hold']),
    ...['Done', 'completed', 'erledigt', 'behoben', 'lahendatud', 'tehtud'].map((word) => [word, 'resolved']),
    ...['Closed', 'Closed, complete', 'geschlossen', 'suletud'].map((word) => [word, 'closed']),
    ...["Won't fix", 'cancelled', 'abgelehnt', 'tühistatud', 'tagasi lükatud'].map((word) => [word, 'canceled']),
  ])('%s is the state %s', (word, state) => {
    expect(stateOf(word)).toBe(state)
  })

  test.each([
    ...['low', 'P4', 'niedrig', 'madal'].map((word) => [word, 0] as const),
    ...['Normal', 'medium', 'P3', 'mittel', 'tavaline'].map((word) => [word, 1] as const),
    ...['HIGH', 'P2', 'wichtig', 'kõrge'].map((word) => [word, 2] as const),
    ...['urgent', 'P1', 'very high', 'dringend', 'avarii'].map((word) => [word, 3] as const),
    ...['none', 'N/A', 'keine', 'puudub'].map((word) => [word, null] as const),
  ])('%s is the priority %s', (word, priority) => {
    expect(priorityOf(word)).toBe(priority)
  })
})

test.each([
  ['Projekt', 'Project'],
  ['Valdkond', 'Tracker'],
  ['Übergeordnetes Ticket', 'Parent task'],
  ['Pärineb teemast', 'Parent task'],
  ['Olek', 'Status'],
  ['Priorität', 'Priority'],
  ['Prioriteet', 'Priority'],
  ['Thema', 'Subject'],
  ['Teema', 'Subject'],
  ['Autor', 'Author'],
  ['Zugewiesen an', 'Assignee'],
  ['Tegeleja', 'Assignee'],
  ['Aktualisiert', 'Updated'],
  ['Uuendatud', 'Updated'],
  ['Kategorie', 'Category'],
  ['Kategooria', 'Category'],
  ['Zielversion', 'Target version'],
  ['Sihtversioon', 'Target version'],
  ['Beginn', 'Start date'],
  ['Alguskuupäev', 'Start date'],
  ['Abgabedatum', 'Due date'],
  ['Tähtaeg', 'Due date'],
  ['Geschätzter Aufwand', 'Estimated time'],
  ['Eeldatav ajakulu', 'Estimated time'],
  ['Aufgewendete Zeit', 'Spent time'],
  ['Kulutatud aeg', 'Spent time'],
  ['% erledigt', '% Done'],
  ['% tehtud', '% Done'],
  ['Angelegt', 'Created'],
  ['Loodud', 'Created'],
  ['Geschlossen am', 'Closed'],
  ['Suletud kuupäeval', 'Closed'],
  ['Zuletzt geändert von', 'Last updated by'],
  ['Zugehörige Tickets', 'Related issues'],
  ['Seotud teemad', 'Related issues'],
  ['Dateien', 'Files'],
  ['Failid', 'Files'],
  ['Privat', 'Private'],
  ['Privaatne', 'Private'],
  ['Beschreibung', 'Description'],
  ['Kirjeldus', 'Description'],
  ['Letzte Kommentare', 'Last notes'],
  ['Storey', 'Storey'],
])('the column %s of Redmine is %s in English', (column, english) => {
  expect(languages.columnOf(column)).toBe(english)
})
