import { crc32, deflateRawSync } from 'node:zlib'

/** The header fields that a local and a central header share. */
interface SharedFields {
  signature: number
  versionNeeded: number
  flags: number
  method: number
  time: number
  date: number
  crc32: number
  compressedSize: number
  size: number
  name: string | Uint8Array
  extra: Uint8Array
}

interface CentralFields extends SharedFields {
  versionMadeBy: number
  comment: string | Uint8Array
  disk: number
  internalAttributes: number
  externalAttributes: number
  offset: number
}

/** `signed` includes the signature; `64` has eight-byte sizes. */
export type DescriptorKind = 'signed' | 'unsigned' | 'signed64' | 'unsigned64'

/** One entry. Defaults match a correct writer; `local` and `central` override any field. */
export interface EntryParts {
  name: string | Uint8Array
  /** The content of the file before compression. */
  data?: string | Uint8Array
  /** 0 stored (the default), 8 deflated. */
  method?: number
  /** Sets bit 3 and leaves the local sizes and CRC at 0, as writers to a pipe do. */
  descriptor?: DescriptorKind
  /** Puts sizes and offset into zip64 extras, even if they would fit. */
  zip64?: boolean
  /** Further extras, placed before the zip64 ones. */
  extra?: Uint8Array
  local?: Partial<SharedFields>
  central?: Partial<CentralFields>
  /** Replaces the compressed bytes; the headers keep the sizes of `data`. */
  rawData?: Uint8Array
  /** Replaces the bytes of the descriptor. */
  rawDescriptor?: Uint8Array
  /** Bytes before the local header: a gap. */
  before?: Uint8Array
  /** Omits the entry from the directory. */
  unlisted?: boolean
  /** Lists the entry in the directory only: no local header, no data. */
  ghost?: boolean
}

interface EndFields {
  signature: number
  disk: number
  directoryDisk: number
  entriesOnDisk: number
  entries: number
  directorySize: number
  directoryOffset: number
  commentLength: number
}

interface Zip64EndFields extends Omit<EndFields, 'commentLength'> {
  recordSize: number
  versionMadeBy: number
  versionNeeded: number
  extensibleData: Uint8Array
}

interface LocatorFields {
  signature: number
  disk: number
  recordOffset: number
  disks: number
}

/** The archive around the entries; everything is optional. */
export interface ArchiveParts {
  comment?: string | Uint8Array
  end?: Partial<EndFields>
  /** Adds a zip64 end record and locator, and puts 0xFFFFFFFF into the classic record. */
  zip64End?: boolean | Partial<Zip64EndFields>
  locator?: Partial<LocatorFields> | false
  beforeDirectory?: Uint8Array
  /** Bytes between the directory and the end records. */
  afterDirectory?: Uint8Array
  afterEnd?: Uint8Array
}

/** Lays out an archive byte by byte, valid or malformed. Truncates values too large for their field. */
export function buildZip(entries: readonly EntryParts[], archive: ArchiveParts = {}): Uint8Array {
  const file = createSink()
  const directory = createSink()
  let count = 0
  for (const entry of entries) {
    if (entry.before) file.put(entry.before)
    const central = putEntry(file, entry)
    if (entry.unlisted) continue
    count += 1
    directory.put(centralHeader({ ...central, ...entry.central }))
  }
  if (archive.beforeDirectory) file.put(archive.beforeDirectory)
  const directoryOffset = file.length()
  const directorySize = directory.length()
  file.put(directory.bytes())
  if (archive.afterDirectory) file.put(archive.afterDirectory)
  const place = { directoryDisk: 0, directoryOffset, directorySize, disk: 0, entries: count, entriesOnDisk: count }
  const { zip64End = false } = archive
  if (zip64End) putZip64End(file, place, zip64End === true ? {} : zip64End, archive.locator)
  const saturated = { directoryOffset: 0xffffffff, directorySize: 0xffffffff, entries: 0xffff, entriesOnDisk: 0xffff }
  file.put(endRecord({ ...place, ...(zip64End ? saturated : {}), ...archive.end }, bytesOf(archive.comment ?? '')))
  if (archive.afterEnd) file.put(archive.afterEnd)
  return file.bytes()
}

/** Returns an extra field with this id. */
export function extraField(id: number, data: Uint8Array): Uint8Array {
  return Buffer.concat([uint16(id), uint16(data.length), data])
}

/** Returns a zip64 extra with exactly these values. */
export function zip64Extra(...values: readonly (number | bigint)[]): Uint8Array {
  return extraField(1, Buffer.concat(values.map(uint64)))
}

/** Returns Info-ZIP's extra that repeats the name in UTF-8. */
export function unicodePathExtra(headerName: string | Uint8Array, unicodeName: string, version = 1): Uint8Array {
  return extraField(
    0x7075,
    Buffer.concat([Uint8Array.of(version), uint32(crc32(bytesOf(headerName))), bytesOf(unicodeName)]),
  )
}

/** Returns a data descriptor of this kind, with any values. */
export function dataDescriptor(kind: DescriptorKind, crc: number, compressedSize: number, size: number): Uint8Array {
  const number = kind.endsWith('64') ? uint64 : uint32
  const signature = kind.startsWith('signed') ? uint32(0x08074b50) : new Uint8Array()
  return Buffer.concat([signature, uint32(crc), number(compressedSize), number(size)])
}

interface Sink {
  put(bytes: Uint8Array): void
  length(): number
  bytes(): Uint8Array
}

function createSink(): Sink {
  const parts: Uint8Array[] = []
  let length = 0
  return {
    put(bytes) {
      parts.push(bytes)
      length += bytes.length
    },
    length: () => length,
    bytes: () => Buffer.concat(parts),
  }
}

function putEntry(file: Sink, entry: EntryParts): CentralFields {
  const data = bytesOf(entry.data ?? '')
  const method = entry.method ?? 0
  const compressed = method === 8 ? deflateRawSync(data) : data
  const sizes = { crc32: crc32(data), compressedSize: compressed.length, size: data.length }
  const name = bytesOf(entry.name)
  const isAscii = name.every((byte) => byte < 0x80)
  const shared = {
    versionNeeded: entry.zip64 ? 45 : 20,
    flags: (entry.descriptor ? 8 : 0) | (isAscii ? 0 : 0x800),
    method,
    time: 0,
    date: 0x21,
    name,
    extra: entry.extra ?? new Uint8Array(),
  }
  const offset = file.length()
  if (!entry.ghost) {
    const known = entry.descriptor ? { crc32: 0, compressedSize: 0, size: 0 } : sizes
    const values = entry.zip64 ? { ...known, compressedSize: 0xffffffff, size: 0xffffffff } : known
    const zip64 = entry.zip64 ? [zip64Extra(known.size, known.compressedSize)] : []
    const extra = Buffer.concat([shared.extra, ...zip64])
    file.put(localHeader({ ...shared, ...values, extra, signature: 0x04034b50, ...entry.local }))
    file.put(entry.rawData ?? compressed)
    const { crc32: crc, compressedSize, size } = sizes
    if (entry.rawDescriptor) file.put(entry.rawDescriptor)
    else if (entry.descriptor) file.put(dataDescriptor(entry.descriptor, crc, compressedSize, size))
  }
  const zip64 = entry.zip64 ? [zip64Extra(sizes.size, sizes.compressedSize, offset)] : []
  const values = entry.zip64 ? { compressedSize: 0xffffffff, size: 0xffffffff, offset: 0xffffffff } : { offset }
  return {
    ...shared,
    ...sizes,
    ...values,
    extra: Buffer.concat([shared.extra, ...zip64]),
    signature: 0x02014b50,
    versionMadeBy: 0x0314,
    comment: '',
    disk: 0,
    internalAttributes: 0,
    externalAttributes: 0,
  }
}

function localHeader(fields: SharedFields): Uint8Array {
  const name = bytesOf(fields.name)
  return Buffer.concat([uint32(fields.signature), sharedFields(fields), name, fields.extra])
}

function centralHeader(fields: CentralFields): Uint8Array {
  const comment = bytesOf(fields.comment)
  return Buffer.concat([
    uint32(fields.signature),
    uint16(fields.versionMadeBy),
    sharedFields(fields),
    uint16(comment.length),
    uint16(fields.disk),
    uint16(fields.internalAttributes),
    uint32(fields.externalAttributes),
    uint32(fields.offset),
    bytesOf(fields.name),
    fields.extra,
    comment,
  ])
}

function sharedFields(fields: SharedFields): Uint8Array {
  const bytes = Buffer.alloc(26)
  bytes.writeUInt16LE(fields.versionNeeded, 0)
  bytes.writeUInt16LE(fields.flags, 2)
  bytes.writeUInt16LE(fields.method, 4)
  bytes.writeUInt16LE(fields.time, 6)
  bytes.writeUInt16LE(fields.date, 8)
  bytes.writeUInt32LE(fields.crc32 >>> 0, 10)
  bytes.writeUInt32LE(fields.compressedSize % 2 ** 32, 14)
  bytes.writeUInt32LE(fields.size % 2 ** 32, 18)
  bytes.writeUInt16LE(bytesOf(fields.name).length, 22)
  bytes.writeUInt16LE(fields.extra.length, 24)
  return bytes
}

function putZip64End(
  file: Sink,
  place: Omit<EndFields, 'signature' | 'commentLength'>,
  overrides: Partial<Zip64EndFields>,
  locator: ArchiveParts['locator'],
): void {
  const { extensibleData = new Uint8Array() } = overrides
  const made = { signature: 0x06064b50, recordSize: 44 + extensibleData.length, versionMadeBy: 45, versionNeeded: 45 }
  const record = { ...made, ...place, ...overrides }
  const recordOffset = file.length()
  file.put(
    Buffer.concat([
      uint32(record.signature),
      uint64(record.recordSize),
      uint16(record.versionMadeBy),
      uint16(record.versionNeeded),
      uint32(record.disk),
      uint32(record.directoryDisk),
      uint64(record.entriesOnDisk),
      uint64(record.entries),
      uint64(record.directorySize),
      uint64(record.directoryOffset),
      extensibleData,
    ]),
  )
  if (locator === false) return
  const fields = { signature: 0x07064b50, disk: 0, recordOffset, disks: 1, ...locator }
  file.put(
    Buffer.concat([uint32(fields.signature), uint32(fields.disk), uint64(fields.recordOffset), uint32(fields.disks)]),
  )
}

function endRecord(fields: Partial<EndFields> & Omit<EndFields, 'signature' | 'commentLength'>, comment: Uint8Array) {
  return Buffer.concat([
    uint32(fields.signature ?? 0x06054b50),
    uint16(fields.disk),
    uint16(fields.directoryDisk),
    uint16(fields.entriesOnDisk),
    uint16(fields.entries),
    uint32(fields.directorySize),
    uint32(fields.directoryOffset),
    uint16(fields.commentLength ?? comment.length),
    comment,
  ])
}

function bytesOf(value: string | Uint8Array): Uint8Array {
  return typeof value === 'string' ? Buffer.from(value) : value
}

function uint16(value: number): Uint8Array {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value % 2 ** 16)
  return bytes
}

function uint32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value % 2 ** 32)
  return bytes
}

function uint64(value: number | bigint): Uint8Array {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
