import { buildZip, type EntryParts, unicodePathExtra } from './zip-builder.ts'

/** A well-known malformed archive, small enough to store as a file. */
export interface CaseArchive {
  /** The exact text of the refusal. */
  readonly rule: string
  /** The common name of the attack or defect. */
  readonly note: string
  readonly bytes: Uint8Array
}

const manifest: EntryParts = { name: 'manifest.json', data: '{"version":"1.0","tickets":[]}' }
const note: EntryParts = { name: 'attachments/note.txt', data: 'The radiator is cold.' }
const besides = (...entries: EntryParts[]) => buildZip([manifest, ...entries])
const named = (name: string | Uint8Array) => besides({ name, data: 'evil' })
const valid = besides(note)

/** Overlapping files, as in a zip bomb: every directory entry refers to the same bytes. */
function overlapping(entries: number): Uint8Array {
  const kernel = { ...note, name: 'attachments/kernel.txt' }
  const copies = Array.from({ length: entries }, (_, index) => ({
    ...kernel,
    name: `attachments/${index}.txt`,
    ghost: true,
    central: { offset: 0 },
  }))
  return buildZip([kernel, ...copies])
}

/** The bytes in one uncompressed deflate block, which are the same for every version of zlib. */
function deflateBlock(content: Uint8Array): Uint8Array {
  const head = Buffer.from([1, 0, 0, 0, 0])
  head.writeUInt16LE(content.length, 1)
  head.writeUInt16LE(0xffff - content.length, 3)
  return Buffer.concat([head, content])
}

/** Declares eight bytes but inflates to more. */
function lyingSize(): Uint8Array {
  const rawData = deflateBlock(Buffer.alloc(2_000))
  return besides({ name: 'attachments/small.txt', data: 'innocent', rawData, ...deflatedTo(rawData.length) })
}

function hiddenBehind(hidden: string): Uint8Array {
  const rawData = Buffer.concat([deflateBlock(Buffer.from('innocent')), Buffer.from(hidden)])
  return besides({ name: 'attachments/small.txt', data: 'innocent', rawData, ...deflatedTo(rawData.length) })
}

function deflatedTo(compressedSize: number): Pick<EntryParts, 'local' | 'central'> {
  return { local: { method: 8, compressedSize }, central: { method: 8, compressedSize } }
}

export const CASE_ARCHIVES: readonly CaseArchive[] = [
  { rule: 'no end record was found', note: 'an empty file', bytes: new Uint8Array() },
  { rule: 'no end record was found', note: 'a text', bytes: Buffer.from('{"version":"1.0","tickets":[]}\n') },
  { rule: 'no end record was found', note: 'a truncated download', bytes: valid.subarray(0, valid.length - 60) },
  { rule: 'the end record is truncated', note: 'a download without its last byte', bytes: valid.subarray(0, -1) },
  { rule: '40 bytes after the end', note: 'padded with spaces', bytes: Buffer.concat([valid, Buffer.alloc(40, ' ')]) },
  {
    rule: 'the directory ends at',
    note: 'two concatenated archives',
    bytes: Buffer.concat([besides({ ...note, data: 'The other text.' }), valid]),
  },
  {
    rule: 'the directory ends at',
    note: 'a self-extracting program',
    bytes: Buffer.concat([Buffer.from('#!/bin/sh\nexec unzip "$0"\n'), valid]),
  },
  {
    rule: 'several end records',
    note: 'an archive in the comment of another',
    bytes: buildZip([manifest], { comment: besides({ ...note, data: 'The other text.' }) }),
  },
  {
    rule: 'the end record declares 1 entries, but the directory has 2',
    note: 'a count that hides a file',
    bytes: buildZip([manifest, note], { end: { entries: 1, entriesOnDisk: 1 } }),
  },
  { rule: 'the name has a .. segment', note: 'zip slip', bytes: named('attachments/../../../../etc/cron.d/evil') },
  { rule: 'the name has a backslash', note: 'zip slip for Windows', bytes: named('attachments\\..\\..\\evil.exe') },
  { rule: 'the name is an absolute path', note: 'etc passwd', bytes: named('/etc/passwd') },
  { rule: 'the name starts with a drive letter', note: 'Windows', bytes: named('C:/Windows/evil.dll') },
  {
    rule: 'the name has a control character',
    note: 'an extension after a null byte',
    bytes: named('attachments/a.exe\0.txt'),
  },
  {
    rule: 'the name is not valid UTF-8',
    note: 'a name in a Western European code page',
    bytes: named(Buffer.from('attachments/küte.txt', 'latin1')),
  },
  {
    rule: 'the Unicode path extra differs from the name',
    note: 'two names',
    bytes: besides({ ...note, extra: unicodePathExtra('attachments/note.txt', 'attachments/evil.exe') }),
  },
  {
    rule: 'the local header has a different name',
    note: 'two names in two headers',
    bytes: besides({ ...note, local: { name: 'attachments/evil.exe' } }),
  },
  { rule: 'has the same path as', note: 'two manifests', bytes: besides({ ...manifest, data: '{}' }) },
  {
    rule: 'has the same path, ignoring case and Unicode form, as',
    note: 'two manifests on Windows',
    bytes: besides({ ...manifest, name: 'MANIFEST.json' }),
  },
  {
    rule: 'is a file and also a folder',
    note: 'a file in a file',
    bytes: besides(note, { name: 'attachments/note.txt/evil.txt', data: 'evil' }),
  },
  { rule: 'overlaps', note: 'a bomb of overlapping files', bytes: overlapping(30) },
  {
    rule: 'is followed by a local entry that the directory does not name',
    note: 'a file that the directory does not name',
    bytes: besides({ ...note, unlisted: true }),
  },
  { rule: 'is longer than the declared 8 bytes', note: 'a bomb that declares a small size', bytes: lyingSize() },
  {
    rule: 'its content does not match its checksum (CRC-32)',
    note: 'a corrupted byte',
    bytes: besides({ ...note, rawData: Buffer.from('The radiator is gold.') }),
  },
  {
    rule: 'its compressed data ends 6 bytes before',
    note: 'data hidden behind a compressed file',
    bytes: hiddenBehind('hidden'),
  },
  {
    rule: 'the data descriptor does not match the directory',
    note: 'a descriptor that disagrees',
    bytes: besides({ ...note, descriptor: 'signed', rawDescriptor: Buffer.alloc(16, 7) }),
  },
]

/** The file name of the case. */
export const caseFile = ({ rule, note }: Pick<CaseArchive, 'rule' | 'note'>) => `${rule} - ${note}.fpl`
