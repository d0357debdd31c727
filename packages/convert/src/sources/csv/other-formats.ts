import { open } from 'node:fs/promises'
import { SourceError } from '../../source.ts'

const HEAD_BYTES = 64
const WEB_PAGE =
  'the file is a web page, not a table; export a CSV or Excel file, or open it in a spreadsheet program and save it as XLSX'

const BYTE_ORDER_MARK = /^\xef\xbb\xbf/

/** First bytes of files that people take for a table, and what to do with such a file. */
const FORMATS: readonly (readonly [start: string, message: string])[] = [
  ['%PDF-', 'the file is a PDF document, not a table; export a CSV or Excel file from the other system'],
  ['PK\x03\x04', 'the file is an Excel workbook or a ZIP archive; choose Excel as the system, or unpack it first'],
  ['\x1f\x8b', 'the file is compressed; unpack it with gunzip first'],
  ['\xd0\xcf\x11\xe0', 'the file is an old Excel workbook (XLS); save it as XLSX or CSV first'],
  ['\x89PNG', 'the file is a picture, not a table; export a CSV or Excel file from the other system'],
  ['\xff\xd8\xff', 'the file is a picture, not a table; export a CSV or Excel file from the other system'],
  [
    'this xml file does not appear',
    'the file is the text that a browser shows for XML; save the XML itself (“Save link as”)',
  ],
  ['<!doctype html', WEB_PAGE],
  ['<html', WEB_PAGE],
  ['<table', WEB_PAGE],
  ['<?xml', 'the file is XML, not a table; choose the system that wrote it, or export a CSV or Excel file'],
  ['<rss', 'the file is an RSS feed, not a table; choose Jira if Jira wrote it, or export a CSV or Excel file'],
]

/** Throws a `SourceError` for a file that is no text, whatever its name says: its rows would make no sense. */
export async function refuseOtherFormats(path: string): Promise<void> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
  const head = buffer.toString('latin1', 0, bytesRead)
  const text = head.replace(BYTE_ORDER_MARK, '').trimStart().toLowerCase()
  const found = FORMATS.find(([start]) => head.startsWith(start) || text.startsWith(start))
  if (found) throw new SourceError([{ place: 'row 1', message: found[1] }])
}
