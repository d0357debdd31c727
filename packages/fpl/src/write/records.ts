/** One written file, as its directory record describes it. */
export interface WrittenEntry {
  readonly name: Uint8Array
  readonly method: 'stored' | 'deflated'
  /**
   * True if size and checksum were unknown when the header was written, so that a data descriptor follows the content.
   */
  readonly described: boolean
  readonly crc32: number
  readonly compressedSize: number
  readonly size: number
  /** Offset of the local header. */
  readonly offset: number
}

const LOCAL_HEADER = 0x04034b50
const DESCRIPTOR = 0x08074b50
const DIRECTORY_RECORD = 0x02014b50
const ZIP64_END = 0x06064b50
const ZIP64_LOCATOR = 0x07064b50
const END = 0x06054b50

const METHOD = { stored: 0, deflated: 8 } as const
const UTF8_NAME = 1 << 11
const DESCRIPTOR_FOLLOWS = 1 << 3
const PLAIN_VERSION = 20
const ZIP64_VERSION = 45
const UNIX = 3 << 8
const READABLE_FILE = 0o100644 * 0x10000
// The same time for every file, so that equal content gives equal bytes.
const FIRST_OF_1980 = 0x0021
const IN_ZIP64 = 0xffffffff

type Head = Pick<WrittenEntry, 'name' | 'method' | 'described' | 'crc32' | 'compressedSize' | 'size'>

const flagsOf = ({ described }: Head) => UTF8_NAME | (described ? DESCRIPTOR_FOLLOWS : 0)

/** Returns a local header, without sizes and checksum if a data descriptor follows the content. */
export function localHeader(entry: Head): Buffer {
  const record = Buffer.alloc(30 + entry.name.length)
  record.writeUInt32LE(LOCAL_HEADER, 0)
  record.writeUInt16LE(PLAIN_VERSION, 4)
  record.writeUInt16LE(flagsOf(entry), 6)
  record.writeUInt16LE(METHOD[entry.method], 8)
  record.writeUInt16LE(FIRST_OF_1980, 12)
  if (!entry.described) writeSizes(record, 14, entry)
  record.writeUInt16LE(entry.name.length, 26)
  record.set(entry.name, 30)
  return record
}

/** Returns the data descriptor that follows the content of a file whose header has no sizes. */
export function dataDescriptor(entry: Head): Buffer {
  const record = Buffer.alloc(16)
  record.writeUInt32LE(DESCRIPTOR, 0)
  writeSizes(record, 4, entry)
  return record
}

export function directoryRecord(entry: WrittenEntry): Buffer {
  const far = entry.offset >= IN_ZIP64
  const record = Buffer.alloc(46 + entry.name.length + (far ? 12 : 0))
  record.writeUInt32LE(DIRECTORY_RECORD, 0)
  record.writeUInt16LE(UNIX | ZIP64_VERSION, 4)
  record.writeUInt16LE(far ? ZIP64_VERSION : PLAIN_VERSION, 6)
  record.writeUInt16LE(flagsOf(entry), 8)
  record.writeUInt16LE(METHOD[entry.method], 10)
  record.writeUInt16LE(FIRST_OF_1980, 14)
  writeSizes(record, 16, entry)
  record.writeUInt16LE(entry.name.length, 28)
  record.writeUInt16LE(far ? 12 : 0, 30)
  record.writeUInt32LE(READABLE_FILE, 38)
  record.writeUInt32LE(far ? IN_ZIP64 : entry.offset, 42)
  record.set(entry.name, 46)
  if (far) {
    const extra = 46 + entry.name.length
    record.writeUInt16LE(1, extra)
    record.writeUInt16LE(8, extra + 2)
    record.writeBigUInt64LE(BigInt(entry.offset), extra + 4)
  }
  return record
}

/** Returns the end of a package, with zip64 records if the directory starts past the range of the classic record. */
export function endRecords(directory: { entries: number; size: number; offset: number }): Buffer {
  const { entries, size, offset } = directory
  const far = offset >= IN_ZIP64
  const end = Buffer.alloc(22)
  end.writeUInt32LE(END, 0)
  end.writeUInt16LE(entries, 8)
  end.writeUInt16LE(entries, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(far ? IN_ZIP64 : offset, 16)
  if (!far) return end

  const record = Buffer.alloc(56)
  record.writeUInt32LE(ZIP64_END, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeUInt16LE(UNIX | ZIP64_VERSION, 12)
  record.writeUInt16LE(ZIP64_VERSION, 14)
  record.writeBigUInt64LE(BigInt(entries), 24)
  record.writeBigUInt64LE(BigInt(entries), 32)
  record.writeBigUInt64LE(BigInt(size), 40)
  record.writeBigUInt64LE(BigInt(offset), 48)

  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(ZIP64_LOCATOR, 0)
  locator.writeBigUInt64LE(BigInt(offset + size), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([record, locator, end])
}

function writeSizes(record: Buffer, at: number, { crc32, compressedSize, size }: Head): void {
  record.writeUInt32LE(crc32, at)
  record.writeUInt32LE(compressedSize, at + 4)
  record.writeUInt32LE(size, at + 8)
}
