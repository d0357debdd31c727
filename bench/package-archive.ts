import { closeSync, openSync, writeSync } from 'node:fs'
import { crc32, deflateRawSync } from 'node:zlib'

/**
 * A file as stored in an archive. Many entries may share one, because compressing gigabytes would take longer than
 * measuring them.
 */
export interface PackedFile {
  readonly method: 0 | 8
  readonly data: Uint8Array
  readonly size: number
  readonly crc32: number
}

export function stored(content: Uint8Array): PackedFile {
  return { method: 0, data: content, size: content.length, crc32: crc32(content) }
}

export function deflated(content: Uint8Array): PackedFile {
  return { method: 8, data: deflateRawSync(content), size: content.length, crc32: crc32(content) }
}

const LOCAL_BYTES = 30
const CENTRAL_BYTES = 46
const END_BYTES = 22
const JOINED_WRITES = 4e6

/** Writes a plain archive below 4 GB and 65,535 entries, so without zip64. */
export function writeArchive(path: string, entries: Iterable<readonly [name: string, file: PackedFile]>): void {
  const output = openSync(path, 'w')
  let [offset, count, waiting] = [0, 0, 0]
  let parts: Uint8Array[] = []
  const flush = () => {
    const bytes = Buffer.concat(parts)
    for (let done = 0; done < bytes.length; ) done += writeSync(output, bytes, done)
    parts = []
    waiting = 0
  }
  const put = (bytes: Uint8Array) => {
    parts.push(bytes)
    waiting += bytes.length
    offset += bytes.length
    if (waiting > JOINED_WRITES) flush()
  }

  const directory: Buffer[] = []
  for (const [name, file] of entries) {
    const nameBytes = Buffer.from(name)
    directory.push(centralHeader(nameBytes, file, offset))
    put(localHeader(nameBytes, file))
    put(file.data)
    count += 1
  }
  const start = offset
  for (const header of directory) put(header)
  put(endRecord(count, offset - start, start))
  flush()
  closeSync(output)
}

function localHeader(name: Buffer, file: PackedFile): Buffer {
  const header = Buffer.alloc(LOCAL_BYTES + name.length)
  header.writeUInt32LE(0x04034b50, 0)
  putSharedFields(header, 4, name, file)
  name.copy(header, LOCAL_BYTES)
  return header
}

function centralHeader(name: Buffer, file: PackedFile, offset: number): Buffer {
  const header = Buffer.alloc(CENTRAL_BYTES + name.length)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(20, 4)
  putSharedFields(header, 6, name, file)
  header.writeUInt32LE(offset, 42)
  name.copy(header, CENTRAL_BYTES)
  return header
}

/** The fields from the required version to the name length, which have the same order in both headers. */
function putSharedFields(header: Buffer, at: number, name: Buffer, { method, data, size, crc32 }: PackedFile): void {
  const january1980 = 0x21
  header.writeUInt16LE(20, at)
  header.writeUInt16LE(method, at + 4)
  header.writeUInt16LE(january1980, at + 8)
  header.writeUInt32LE(crc32, at + 10)
  header.writeUInt32LE(data.length, at + 14)
  header.writeUInt32LE(size, at + 18)
  header.writeUInt16LE(name.length, at + 22)
}

function endRecord(entries: number, size: number, offset: number): Buffer {
  const record = Buffer.alloc(END_BYTES)
  record.writeUInt32LE(0x06054b50, 0)
  record.writeUInt16LE(entries, 8)
  record.writeUInt16LE(entries, 10)
  record.writeUInt32LE(size, 12)
  record.writeUInt32LE(offset, 16)
  return record
}
