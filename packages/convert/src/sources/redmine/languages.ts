/**
 * Redmine writes the header of its CSV, and the states and priorities of a new installation, in the language of the person
 * or the installation. These are the languages of the console.
 */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  Project: ['Projekt'],
  Tracker: ['Valdkond'],
  'Parent task': ['Übergeordnetes Ticket', 'Pärineb teemast'],
  Status: ['Olek'],
  Priority: ['Priorität', 'Prioriteet'],
  Subject: ['Thema', 'Teema'],
  Author: ['Autor'],
  Assignee: ['Zugewiesen an', 'Tegeleja'],
  Updated: ['Aktualisiert', 'Uuendatud'],
  Category: ['Kategorie', 'Kategooria'],
  'Target version': ['Zielversion', 'Sihtversioon'],
  'Start date': ['Beginn', 'Alguskuupäev'],
  'Due date': ['Abgabedatum', 'Tähtaeg'],
  'Estimated time': ['Geschätzter Aufwand', 'Eeldatav ajakulu'],
  'Spent time': ['Aufgewendete Zeit', 'Kulutatud aeg'],
  '% Done': ['% erledigt', '% tehtud'],
  Created: ['Angelegt', 'Loodud'],
  Closed: ['Geschlossen am', 'Suletud kuupäeval'],
  'Last updated by': ['Zuletzt geändert von'],
  'Related issues': ['Zugehörige Tickets', 'Seotud teemad'],
  Files: ['Dateien', 'Failid'],
  Private: ['Privat', 'Privaatne'],
  Description: ['Beschreibung', 'Kirjeldus'],
  'Last notes': ['Letzte Kommentare'],
}

const ENGLISH = new Map(Object.entries(COLUMNS).flatMap(([english, others]) => others.map((other) => [other, english])))

export function englishColumn(column: string): string {
  return ENGLISH.get(column) ?? column
}

/** States of a new installation in English, German and Estonian. */
export const STATES: Readonly<Record<string, string>> = {
  ...of('new', ['New', 'Neu', 'Avatud']),
  ...of('in_progress', ['In Progress', 'In Bearbeitung', 'Töös']),
  ...of('resolved', ['Resolved', 'Gelöst', 'Lahendatud']),
  ...of('on_hold', ['Feedback', 'Tagasiside']),
  ...of('closed', ['Closed', 'Erledigt', 'Suletud']),
  ...of('canceled', ['Rejected', 'Abgewiesen', 'Tagasi lükatud']),
}

/** Priorities of a new installation in English, German and Estonian. */
export const PRIORITIES: Readonly<Record<string, 0 | 1 | 2 | 3>> = {
  ...of(0, ['Low', 'Niedrig', 'Aega on']),
  ...of(1, ['Normal', 'Tavaline']),
  ...of(2, ['High', 'Hoch', 'Pakiline']),
  ...of(3, ['Urgent', 'Dringend', 'Täna vaja', 'Immediate', 'Sofort', 'Kohe vaja']),
}

function of<Value>(value: Value, names: readonly string[]): Record<string, Value> {
  return Object.fromEntries(names.map((name) => [name, value]))
}
