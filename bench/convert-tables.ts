import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { csvLine } from '@plantroom/base/csv'
import type { Mapping } from '@plantroom/contract/conversion'
import { buildZip } from '@plantroom/fpl/testing/zip-builder'

const HEADER = [
  ...['ID', 'Title', 'Description', 'Status', 'Priority', 'Reporter', 'Email', 'Phone', 'Assigned To', 'Location'],
  ...['Category', 'Created On', 'Last Updated On', 'Completed On', 'Due Date'],
]

export const MAPPING: Mapping = {
  timeZone: 'Europe/Tallinn',
  dateOrder: 'dmy',
  columns: {
    ID: 'externalId',
    Title: 'title',
    Description: 'description',
    Status: 'state',
    Priority: 'priority',
    Reporter: 'reporter.name',
    Email: 'reporter.email',
    Phone: 'reporter.phone',
    'Assigned To': 'assignee',
    Location: 'unit',
    Category: 'tags',
    'Created On': 'createdAt',
    'Last Updated On': 'updatedAt',
    'Completed On': 'resolvedAt',
    'Due Date': 'description+',
  },
  states: { Open: 'open', 'In Progress': 'in_progress', 'On Hold': 'on_hold', Done: 'resolved' },
  otherState: 'new',
  priorities: { Low: 0, Medium: 1, High: 2, None: null },
}

const STATES = Object.keys(MAPPING.states)
const PRIORITIES = Object.keys(MAPPING.priorities)

function row(index: number): string[] {
  const description = `The radiator in "room ${index}" is cold,\nplease come. ${'word '.repeat(20)}`
  return [
    ...[`WO-${index}`, `Radiator ${index} is cold`, description, STATES[index % 4] ?? '', PRIORITIES[index % 4] ?? ''],
    ...[`Mari Maasikas ${index % 500}`, `mari${index % 500}@example.ee`, `55${index}`, `fixer${index % 20}@example.ee`],
    ...[
      `B-${index % 300}`,
      `heating; floor ${index % 7}`,
      date(index),
      date(index + 60),
      date(index + 600),
      date(index + 9_000),
    ],
  ]
}

function date(index: number): string {
  const iso = new Date(Date.UTC(2024, 0, 1) + index * 977_000).toISOString()
  return `${iso.slice(8, 10)}.${iso.slice(5, 7)}.${iso.slice(0, 4)} ${iso.slice(11, 16)}`
}

/** Writes the same rows as CSV and as XLSX. */
export async function writeTables(folder: string, rows: number): Promise<{ csv: string; xlsx: string }> {
  const table = [HEADER, ...Array.from({ length: rows }, (_, index) => row(index))]
  const csv = join(folder, 'table.csv')
  writeFileSync(csv, table.map((cells) => csvLine(cells)).join(''))
  const xlsx = join(folder, 'table.xlsx')
  writeFileSync(xlsx, workbook(table))
  return { csv, xlsx }
}

function workbook(table: readonly (readonly string[])[]): Uint8Array {
  const shared = new Map<string, number>()
  const cell = (text: string) => {
    const index = shared.get(text) ?? shared.size
    shared.set(text, index)
    return `<c t="s"><v>${index}</v></c>`
  }
  const sheet = table.map((cells, index) => `<row r="${index + 1}">${cells.map(cell).join('')}</row>`).join('')
  const texts = [...shared.keys()].map((text) => `<si><t>${escaped(text)}</t></si>`).join('')
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="x/${type}" Target="${target}"/>`
  const relations =
    relation('r1', 'worksheet', 'worksheets/sheet1.xml') + relation('r2', 'sharedStrings', 'strings.xml')
  const parts = {
    'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="S" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships>${relations}</Relationships>`,
    'xl/strings.xml': `<sst>${texts}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
  }
  return buildZip(Object.entries(parts).map(([name, data]) => ({ name, data, method: 8 })))
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
