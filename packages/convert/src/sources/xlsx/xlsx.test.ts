import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildZip } from '@plantroom/fpl/testing/zip-builder'
import { writePackage } from '@plantroom/fpl/write-package'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { readSheet } from 'read-excel-file/node'
import { describe, expect, test } from 'vitest'
import type { OpenOptions } from '../../source.ts'
import { kindOfFormat, numberText } from './cell-values.ts'
import { xlsx } from './index.ts'

// Written by LibreOffice from a flat ODS file: rich text, merged header, hidden column, formulas, booleans, durations.
const golden = (name: string) => join(import.meta.dirname, 'cases', `${name}.xlsx`)

async function rowsOf(path: string, options?: OpenOptions) {
  await using source = await xlsx.open([path], options)
  const rows = []
  for await (const { place, values } of source.records()) rows.push([place, Object.fromEntries(values)] as const)
  return { rows, notes: source.notes?.map(({ text }) => text), columns: source.columns }
}

describe('a workbook of LibreOffice', () => {
  test.each(['work-orders', 'mac-1904'])('%s is read with dates, numbers, truth values and formulas', async (name) => {
    const { rows, notes } = await rowsOf(golden(name))
    expect(rows).toEqual([
      [
        'row 2',
        {
          ID: 'WO-1',
          Title: 'Radiator very cold',
          Created: '2026-04-03T14:05:00',
          Due: '2026-04-10',
          Cost: '0.1',
          Hazard: 'true',
          Total: '0.3',
          Contact: 'Mari',
          'Contact (2)': 'mari@example.ee',
          Hours: '26:30:00',
          Secret: 'hidden text',
        },
      ],
      [
        'row 3',
        {
          ID: 'WO-2',
          Title: 'Line one\nline two',
          Created: '2026-12-31T23:59:59',
          Due: '2024-02-29',
          Cost: '1200',
          Hazard: 'false',
          Total: 'ab',
          Contact: 'Jaan',
        },
      ],
      ['row 6', { ID: 'WO-3', Title: 'õäöü <b> & 😀', Created: '1999-01-01', Cost: '123456789012' }],
    ])
    expect(notes).toEqual([
      'Only the sheet Work orders was read. The file also has Assets.',
      'Hidden columns were read too: Secret.',
    ])
  })

  test('has as many rows and cells for another reader', async () => {
    const theirs = (await readSheet(golden('work-orders'))).slice(1).filter((row) => row.some((cell) => cell !== null))
    const { rows } = await rowsOf(golden('work-orders'))
    const counts = theirs.map((row) => row.filter((cell) => cell !== null).length)
    expect(rows.map(([, values]) => Object.keys(values).length)).toEqual(counts)
  })

  test('names the cell with an error, below a title', async () => {
    await expect(rowsOf(golden('error-cell'))).rejects.toThrow('row 4: Cost: the cell contains the error #DIV/0!')
  })

  test('is read from the sheet that was named', async () => {
    expect((await rowsOf(golden('work-orders'), { sheet: ' assets' })).columns).toEqual(['Pump'])
    await expect(rowsOf(golden('work-orders'), { sheet: 'x' })).rejects.toThrow('the file has Work orders, Assets')
  })
})

describe('a file that is no workbook', () => {
  test('is refused with a remedy', async () => {
    const folder = temporaryFolder()
    const text = join(folder, 'a.xlsx')
    writeFileSync(text, 'ID,Title\n')
    await expect(rowsOf(text)).rejects.toThrow(/a\.xlsx: cannot be read: .*; save it again as XLSX/)
    const other = join(folder, 'b.xlsx')
    await writePackage(other, { tickets: [], attachments: [] })
    await expect(rowsOf(other)).rejects.toThrow('the file is no workbook')
    await expect(rowsOf('/none.xlsx')).rejects.toThrow('the file does not exist')
  })
})

const RELATIONS = `<Relationships xmlns="x"><Relationship Id="r1" Type="x/worksheet" Target="sheet.xml"/></Relationships>`
const WORKBOOK = `<workbook xmlns:r="r"><sheets><sheet name="S" r:id="r1"/></sheets></workbook>`

function workbookWith(sheet: string, declared?: number): string {
  const path = join(temporaryFolder(), 'a.xlsx')
  const size = declared === undefined ? {} : { local: { size: declared }, central: { size: declared } }
  const entries = [
    { name: 'xl/workbook.xml', data: WORKBOOK },
    { name: 'xl/_rels/workbook.xml.rels', data: RELATIONS },
    { name: 'xl/sheet.xml', data: sheet, method: 8, ...size },
  ]
  writeFileSync(path, buildZip(entries))
  return path
}

describe('a hostile workbook', () => {
  const header =
    '<row r="1"><c r="A1" t="inlineStr"><is><t>ID</t></is></c><c r="B1" t="inlineStr"><is><t>T</t></is></c></row>'

  test('that defines entities is refused', async () => {
    const bomb = `<!DOCTYPE a [<!ENTITY a "x"><!ENTITY b "&a;&a;">]><worksheet>&b;</worksheet>`
    await expect(rowsOf(workbookWith(bomb))).rejects.toThrow('it contains a document type')
  })

  test('that says or hides that its sheet inflates beyond a bound is refused', async () => {
    await expect(rowsOf(workbookWith('<worksheet/>', 200e6))).rejects.toThrow('exceeds 100 MB')
    await expect(rowsOf(workbookWith(`<worksheet>${' '.repeat(100_000)}</worksheet>`, 10))).rejects.toThrow(
      'cannot be read',
    )
  })

  test('with cells beyond all columns, without rows or cut off does no harm', async () => {
    const far = `<worksheet><sheetData>${header}<row r="2"><c r="A2"><v>1</v></c><c r="ZZZZZZ2"><v>1</v></c><c r="*"><v>1</v></c></row></sheetData></worksheet>`
    expect((await rowsOf(workbookWith(far))).rows).toEqual([['row 2', { ID: '1' }]])
    await expect(rowsOf(workbookWith('<worksheet/>'))).rejects.toThrow('sheet S: the sheet is empty')
    await expect(rowsOf(workbookWith(`<worksheet><sheetData>${header}<row`))).rejects.toThrow('cannot be read')
  })

  test('with a formula that was never calculated names the cell', async () => {
    const sheet = `<worksheet><sheetData>${header}<row r="2"><c r="B2"><f>1+1</f></c></row></sheetData></worksheet>`
    await expect(rowsOf(workbookWith(sheet))).rejects.toThrow('row 2: T: the file does not contain the result')
  })
})

describe('a number of a cell', () => {
  test.each([
    ['dd/mm/yyyy hh:mm', 'date'],
    ['[$-409]mmm d, yyyy', 'date'],
    ['[h]:mm', 'duration'],
    ['h:mm AM/PM', 'time'],
    ['#,##0.00 "days"', 'plain'],
    ['[Red]0.0', 'plain'],
    ['General', 'plain'],
    ['0\\d', 'plain'],
  ] as const)('with the format %s is %s', (format, kind) => {
    expect(kindOfFormat(format)).toBe(kind)
  })

  test.each([
    ['0.30000000000000004', 'plain', '0.3'],
    ['1e21', 'plain', '1000000000000000000000'],
    ['46115.586805555555', 'date', '2026-04-03T14:05:00'],
    ['59', 'date', '1900-02-28'],
    ['61', 'date', '1900-03-01'],
    ['-1', 'date', '-1'],
    ['0.5', 'time', '12:00:00'],
    ['', 'date', ''],
  ] as const)('%s as %s is %s', (raw, kind, text) => {
    expect(numberText(raw, kind, false)).toBe(text)
  })
})
