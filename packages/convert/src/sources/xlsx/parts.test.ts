import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildZip } from '@plantroom/fpl/testing/zip-builder'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import type { OpenOptions } from '../../source.ts'
import { xlsx } from './index.ts'
import { unescaped } from './xml.ts'

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relation = (id: string, type: string, target: string, rest = '') =>
  `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}" ${rest}/>`
const relations = (...all: string[]) => `<Relationships>${all.join('')}</Relationships>`
const cells = (row: number, ...values: string[]) =>
  `<row r="${row}">${values.map((value, index) => `<c r="${'ABCDEFG'[index]}${row}" t="str"><v>${value}</v></c>`).join('')}</row>`
const sheet = (...rows: string[]) => `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`

/** A workbook in a folder of its own, with prefixes, whose parts are anywhere. */
function workbook(parts: Readonly<Record<string, string>>, { sheets = '', properties = '', more = '' } = {}): string {
  const all = {
    '_rels/.rels': relations(
      relation('x', 'officeDocument', 'http://example.com/', 'TargetMode="External"'),
      relation('y', 'officeDocument', '/book/main.xml'),
    ),
    'book/main.xml': `<x:workbook xmlns:x="x" xmlns:r="r">${properties}<x:sheets>${
      sheets || '<x:sheet name="One" r:id="s1"/>'
    }</x:sheets></x:workbook>`,
    'book/_rels/main.xml.rels': relations(relation('s1', 'worksheet', 'parts/one.xml'), more),
    ...parts,
  }
  const path = join(temporaryFolder(), 'a.xlsx')
  writeFileSync(path, buildZip(Object.entries(all).map(([name, data]) => ({ name, data }))))
  return path
}

async function read(path: string, options?: OpenOptions) {
  await using source = await xlsx.open([path], options)
  const rows = []
  for await (const { place, values } of source.records()) rows.push([place, Object.fromEntries(values)] as const)
  return { rows, notes: source.notes?.map(({ code, subject }) => [code, subject]), columns: source.columns }
}
const one = (content: string, rest: Parameters<typeof workbook>[1] = {}, parts = {}) =>
  read(workbook({ 'book/parts/one.xml': content, ...parts }, rest))

describe('the parts of a workbook', () => {
  test('are found by their relations, wherever they are', async () => {
    const { rows, columns } = await one(sheet(cells(1, 'ID', 'T'), cells(2, '1', 'a')))
    expect([columns, rows]).toEqual([['ID', 'T'], [['row 2', { ID: '1', T: 'a' }]]])
  })

  test('have sheets of which the first that is visible is read', async () => {
    const sheets = `<x:sheet name="Hidden" state="hidden" r:id="s2"/><x:sheet name="Chart" r:id="c"/>
      <x:sheet name="One" state="visible" r:id="s1"/><x:sheet name="Lost" r:id="none"/>`
    const more = `${relation('s2', 'worksheet', '../other/two.xml')}${relation('c', 'chartsheet', 'chart.xml')}`
    const parts = { 'other/two.xml': sheet(cells(1, 'X', 'Y'), cells(2, '1', '2')) }
    const content = sheet(cells(1, 'ID', 'T'), cells(2, '1', 'a'))
    const { columns, notes } = await one(content, { sheets, more }, parts)
    expect([columns, notes]).toEqual([['ID', 'T'], [['other-sheets', 'One']]])
    const path = workbook({ 'book/parts/one.xml': content, ...parts }, { sheets, more })
    expect((await read(path, { sheet: 'hidden' })).columns).toEqual(['X', 'Y'])
    await expect(read(path, { sheet: 'Chart' })).rejects.toThrow(
      'sheet Chart: there is no sheet of this name; the file has Hidden, One',
    )
    const onlyHidden = '<x:sheet name="Two" state="veryHidden" r:id="s1"/>'
    expect((await one(content, { sheets: onlyHidden })).columns).toEqual(['ID', 'T'])
    await expect(one(content, { sheets: '<x:other/>' })).rejects.toThrow('sheet: the file has no sheet')
  })

  test('are one file at a time', async () => {
    await expect(xlsx.open([])).rejects.toThrow('xlsx: takes one file; convert several one after another')
    await expect(xlsx.open(['a', 'b'])).rejects.toThrow('takes one file')
  })

  test('have texts that cells share, whose runs are joined and whose pronunciation is left out', async () => {
    const strings = `<sst><si><t>ID</t></si><si><r><t>a </t></r><r><t>b</t></r><rPh><t>x</t></rPh>y</si>
      <si><t>l_x000A_n _x005F_x0041_</t></si></sst>`
    const more = relation('t', 'sharedStrings', 'strings.xml')
    const shared = (row: number, ...ids: number[]) =>
      `<row r="${row}">${ids.map((id, index) => `<c r="${'AB'[index]}${row}" t="s"><v>${id}</v></c>`).join('')}</row>`
    const content = sheet(shared(1, 0, 1), shared(2, 2, 9), shared(3, 0, 0))
    const { rows, columns } = await one(content, { more }, { 'book/strings.xml': strings })
    expect(columns).toEqual(['ID', 'a b'])
    expect(rows).toEqual([
      ['row 2', { ID: 'l\nn _x0041_' }],
      ['row 3', { ID: 'ID', 'a b': 'ID' }],
    ])
  })

  test('have formats of numbers, of which those of cells count', async () => {
    const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy-mm-dd"/><numFmt numFmtId="165"/></numFmts>
      <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf/><xf numFmtId="164"/><xf numFmtId="14"/><xf numFmtId="165"/></cellXfs>
      <dxfs><xf numFmtId="14"/></dxfs></styleSheet>`
    const more = relation('t', 'styles', 'styles.xml')
    const number = (column: string, style: string) => `<c r="${column}2" ${style}><v>46115</v></c>`
    const row = `<row r="2">${number('A', '')}${number('B', 's="1"')}${number('C', 's="2"')}${number('D', 's="3"')}${number('E', 's="4"')}</row>`
    const content = sheet(cells(1, 'a', 'b', 'c', 'd', 'e'), row)
    const { rows } = await one(content, { more }, { 'book/styles.xml': styles })
    expect(rows[0]?.[1]).toEqual({ a: '46115', b: '2026-04-03', c: '2026-04-03', d: '46115', e: '46115' })
    for (const date1904 of ['1', 'true']) {
      const properties = `<x:workbookPr date1904="${date1904}"/>`
      const old = await one(content, { more, properties }, { 'book/styles.xml': styles })
      expect(old.rows[0]?.[1]).toMatchObject({ a: '46115', b: '2030-04-04' })
    }
    const properties = '<x:workbookPr date1904="0"/>'
    const usual = await one(content, { more, properties }, { 'book/styles.xml': styles })
    expect(usual.rows[0]?.[1]).toMatchObject({ b: '2026-04-03' })
  })
})

describe('a sheet', () => {
  test('may leave out where its rows and cells are', async () => {
    const bare = (...values: string[]) =>
      `<row>${values.map((value) => `<c t="str"><v>${value}</v></c>`).join('')}</row>`
    const skipping = '<row r="7"><c r="B7" t="str"><v>b</v></c><c t="str"><v>c</v></c></row>'
    const { rows } = await one(sheet(bare('A', 'B', 'C'), bare('1', '2'), skipping, bare('8')))
    expect(rows).toEqual([
      ['row 2', { A: '1', B: '2' }],
      ['row 7', { B: 'b', C: 'c' }],
      ['row 8', { A: '8' }],
    ])
  })

  test('has truth values, texts in place, and results of formulas', async () => {
    const row = `<row r="2"><c r="A2" t="b"><v>1</v></c><c r="B2" t="b"><v>true</v></c><c r="C2" t="b"><v>0</v></c>
      <c r="D2" t="inlineStr"><is><r><t>in</t></r> <rPh><t>x</t></rPh> <r><t> place</t></r></is></c><c r="E2"><f>1+1</f><v>2</v></c>
      <c r="F2" t="str"><f>x</f><v></v></c><c r="G2"><v></v></c></row>`
    const { rows } = await one(sheet(cells(1, 'a', 'b', 'c', 'd', 'e', 'f', 'g'), row))
    expect(rows).toEqual([['row 2', { a: 'true', b: 'true', c: 'false', d: 'in place', e: '2' }]])
  })

  test('names every cell without a value, also beyond its header', async () => {
    const row = `<row r="2"><c r="A2" t="e"><v>#REF!</v></c><c r="Z2" t="e"><v>#N/A</v></c><c r="AB2"><f>1</f></c></row>`
    const problems = await one(sheet(cells(1, 'ID', 'T'), row)).catch((error) => error.problems)
    expect(problems).toEqual([
      { place: 'row 2', column: 'ID', message: 'the cell contains the error #REF!; correct its formula or clear it' },
      { place: 'row 2', column: 'Z', message: 'the cell contains the error #N/A; correct its formula or clear it' },
      {
        place: 'row 2',
        column: 'AB',
        message: 'the file does not contain the result of the formula; save it in a spreadsheet program',
      },
    ])
  })

  test('keeps a cell beyond its header in a column of its own', async () => {
    const { rows } = await one(sheet(cells(1, 'ID', 'T'), cells(2, '1', 'a', 'b')))
    expect(rows).toEqual([['row 2', { ID: '1', T: 'a', 'column 3': 'b' }]])
  })

  test('may have a title above its table', async () => {
    const { rows, columns, notes } = await one(sheet(cells(2, 'Work orders'), cells(4, 'ID', 'T'), cells(5, '1', 'a')))
    expect(columns).toEqual(['ID', 'T'])
    expect(rows).toEqual([['row 5', { ID: '1', T: 'a' }]])
    expect(notes).toEqual([['text-above-table', 'Work orders']])
  })

  test('may have one column', async () => {
    const { rows, columns, notes } = await one(sheet(cells(1, 'T'), cells(2, 'a'), cells(3, 'b')))
    expect([columns, notes]).toEqual([['T'], []])
    expect(rows).toEqual([
      ['row 2', { T: 'a' }],
      ['row 3', { T: 'b' }],
    ])
  })

  test('gives the name of merged cells to each of their columns', async () => {
    const header =
      '<row r="1"><c r="A1" t="str"><v>ID</v></c><c r="B1" t="str"><v>Contact</v></c><c r="E1" t="str"><v>T</v></c></row>'
    const merges =
      '<mergeCells><mergeCell ref="B1:D1"/><mergeCell ref="A2:B2"/><mergeCell/><mergeCell ref="A1"/></mergeCells>'
    const content = `<worksheet><sheetData>${header}${cells(2, '1', 'a', 'b', 'c', 'd')}</sheetData>${merges}</worksheet>`
    expect((await one(content)).columns).toEqual(['ID', 'Contact', 'Contact (2)', 'Contact (3)', 'T'])
  })

  test('says which columns are hidden', async () => {
    const columns =
      '<cols><col min="1" max="1"/><col min="2" max="3" hidden="1"/><col min="5" max="9" hidden="true"/></cols>'
    const content = `<worksheet>${columns}<sheetData>${cells(1, 'a', 'b', 'c', 'd', 'e')}${cells(2, '1')}</sheetData></worksheet>`
    await using source = await xlsx.open([workbook({ 'book/parts/one.xml': content })])
    expect(source.notes).toMatchObject([{ code: 'hidden-columns', text: 'Hidden columns were read too: b, c, e.' }])
  })

  test('that is not there is empty', async () => {
    await expect(read(workbook({}))).rejects.toThrow(
      'sheet One: the sheet is empty; choose another sheet or export it again with its header row',
    )
  })
})

test.each([
  ['plain_', 'plain_'],
  ['_x0041_B', 'AB'],
  ['_x00e4_', 'ä'],
  ['_x005F_x0041_', '_x0041_'],
  ['_x41_', '_x41_'],
])('the text %s is %s', (text, expected) => {
  expect(unescaped(text)).toBe(expected)
})
