import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { SourceError } from '../../source.ts'
import { readTable } from './read-table.ts'

function fileOf(content: string | Uint8Array): string {
  const path = join(temporaryFolder(), 'table.csv')
  writeFileSync(path, content)
  return path
}

async function rowsOf(content: string | Uint8Array) {
  const rows = []
  for await (const { line, cells } of readTable(fileOf(content))) rows.push([line, Object.fromEntries(cells)])
  return rows
}

async function problemsOf(content: string): Promise<readonly string[]> {
  try {
    await rowsOf(content)
  } catch (error) {
    if (error instanceof SourceError) return error.problems.map(({ place, column }) => `${place}: ${column}`)
    throw error
  }
  return []
}

describe('a table', () => {
  test.each([',', ';', '\t', '|'])('is separated by %j', async (separator) => {
    const lines = [
      ['ID', 'Title, or; name'],
      ['1', 'a'],
    ].map((cells) => cells.map((cell) => `"${cell}"`).join(separator))
    expect(await rowsOf(lines.join('\n'))).toEqual([[2, { ID: '1', 'Title, or; name': 'a' }]])
  })

  test('has nothing where a database wrote NULL, but not where people wrote Null', async () => {
    expect(await rowsOf('a,b,c\nNULL,Null,x\n')).toEqual([[2, { b: 'Null', c: 'x' }]])
  })

  test('has as many columns as a spreadsheet at most, and rows of 16 MB', async () => {
    const header = Array.from({ length: 16_385 }, (_, index) => `c${index}`)
    expect(await problemsOf(`${header.join(',')}\n`)).toEqual(['row 1: undefined'])
    expect(await problemsOf(`a,b\n1,"${'x'.repeat(16_100_000)}"\n`)).toEqual(['row 2: undefined'])
  })

  test.each(['<html><table>', '\ufeff<!DOCTYPE html>', '<?xml version="1.0"?><a/>', '<rss version="2.0">'])(
    'is not %j',
    async (content) => {
      await expect(rowsOf(`${content}\na,b\n1,2\n`)).rejects.toThrow(/not a table/)
    },
  )

  test('says its separator in the way of Excel', async () => {
    expect(await rowsOf('sep=;\r\na;b\r\n1;2,3\r\n')).toEqual([[3, { a: '1', b: '2,3' }]])
  })

  test.each(['\n', '\r\n', '\r'])('has lines that end in %j', async (end) => {
    expect(await rowsOf(['a,b', '1,2', '3,4', ''].join(end))).toEqual([
      [2, { a: '1', b: '2' }],
      [3, { a: '3', b: '4' }],
    ])
  })

  test('counts lines as an editor does, through line breaks in cells and empty lines', async () => {
    expect(await rowsOf('a,b\r\n1,"x\r\ny\nz"\n\n2,w\r3,v\n')).toEqual([
      [2, { a: '1', b: 'x\r\ny\nz' }],
      [6, { a: '2', b: 'w' }],
      [7, { a: '3', b: 'v' }],
    ])
  })

  test('keeps quotation marks that are no delimiters', async () => {
    expect(await rowsOf('a,b\n5" pipe,"say ""hi"""\n')).toEqual([[2, { a: '5" pipe', b: 'say "hi"' }]])
  })

  test('names repeated and empty headers', async () => {
    expect(await rowsOf('Comment,,Comment, Comment ,\n1,2,3,4,5\n')).toEqual([
      [2, { Comment: '1', 'column 2': '2', 'Comment (2)': '3', 'Comment (3)': '4', 'column 5': '5' }],
    ])
  })

  test('leaves out empty cells and rows, and separators after the last column', async () => {
    expect(await rowsOf('a,b\n1, \n , \n2,3,,\n')).toEqual([
      [2, { a: '1' }],
      [4, { a: '2', b: '3' }],
    ])
  })

  test('lists every ragged row with its first wrong column', async () => {
    expect(await problemsOf('a,b,c\n1\n1,2,3\n1,2,3,4\n1,2\n')).toEqual(['row 2: b', 'row 4: column 4', 'row 5: c'])
  })

  test('names the row whose quotation mark is not closed', async () => {
    expect(await problemsOf('a,b\n1,2\n3,"4\n5,6\n')).toEqual(['row 3: undefined'])
  })

  test.each(['', '\n\n', '\ufeff'])('of %j has no header and no rows', async (content) => {
    expect(await rowsOf(content)).toEqual([])
  })

  test('that does not exist is a problem', async () => {
    const rows = readTable('/none/x.csv')
    await expect(rows.next()).rejects.toThrow('/none/x.csv: the file does not exist')
  })

  test.each([
    ['%PDF-1.7\n%âãÏÓ\n1;2;3\n', 'is a PDF document'],
    ['PK\x03\x04;;\n', 'is an Excel workbook or a ZIP archive'],
    ['\xd0\xcf\x11\xe0\xa1\xb1', 'is an old Excel workbook'],
    ['\xff\xd8\xff\xe0', 'is a picture'],
  ])('is no file of another format under its name', async (content, reason) => {
    await expect(rowsOf(Buffer.from(content, 'latin1'))).rejects.toThrow(reason)
  })

  test('in UTF-16 with NUL characters in cells can be read', async () => {
    expect(await rowsOf(Buffer.from('\ufeffa\tb\r\nõ\0\t2\r\n', 'utf16le'))).toEqual([[2, { a: 'õ\0', b: '2' }]])
  })
})
