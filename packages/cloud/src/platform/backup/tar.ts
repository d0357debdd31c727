/** The header of each entry, and the unit that contents are padded to. */
export const BLOCK = 512
const MAX_SIZE = 8 ** 11 - 1
const NAME_BYTES = 100
const PREFIX_BYTES = 155

const ZEROS = Buffer.alloc(BLOCK)

export interface TarEntry {
  name: string
  size: number
}

/** Returns the header of a file in the ustar format, which every tar reads. Names are ASCII. */
export function tarHeader({ name, size }: TarEntry, modifiedMs: number): Buffer {
  const { prefix, rest } = splitName(name)
  if (size > MAX_SIZE) throw new Error(`${name} has ${size} bytes, and a backup can have files of ${MAX_SIZE} at most`)
  const header = Buffer.alloc(BLOCK)
  header.write(rest, 0)
  header.write(octal(0o600, 8), 100)
  header.write(octal(0, 8), 108)
  header.write(octal(0, 8), 116)
  header.write(octal(size, 12), 124)
  header.write(octal(Math.floor(modifiedMs / 1000), 12), 136)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  header.write(prefix, 345)
  header.write(`${octal(checksum(header), 7)} `, 148)
  return header
}

/** Reads a header; `'end'` for a block of zeros, `undefined` for anything that `tarHeader` does not write. */
export function readTarHeader(header: Buffer): TarEntry | 'end' | undefined {
  if (header.equals(ZEROS)) return 'end'
  if (text(header, 257, 6) !== 'ustar' || Number.parseInt(text(header, 148, 7), 8) !== checksum(header))
    return undefined
  const size = Number.parseInt(text(header, 124, 12), 8)
  const prefix = text(header, 345, PREFIX_BYTES)
  const rest = text(header, 0, NAME_BYTES)
  const isFile = header[156] === 0x30
  return isFile && Number.isSafeInteger(size) && size >= 0
    ? { name: prefix === '' ? rest : `${prefix}/${rest}`, size }
    : undefined
}

/** How many zeros follow contents of this size. */
export const paddingOf = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK

function splitName(name: string): { prefix: string; rest: string } {
  if (name.length <= NAME_BYTES) return { prefix: '', rest: name }
  const cut = name.indexOf('/', name.length - NAME_BYTES - 1)
  if (cut < 0 || cut > PREFIX_BYTES) throw new Error(`${name} is too long for a name in a backup`)
  return { prefix: name.slice(0, cut), rest: name.slice(cut + 1) }
}

const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`

/** The sum of all bytes, with the place of the sum itself as spaces. */
function checksum(header: Buffer): number {
  let sum = 8 * 0x20
  // By index, because there is a header for every file.
  for (let index = 0; index < BLOCK; index += 1) if (index < 148 || index >= 156) sum += header[index] ?? 0
  return sum
}

function text(header: Buffer, from: number, length: number): string {
  const end = header.indexOf(0, from)
  return header.toString('latin1', from, end >= 0 && end < from + length ? end : from + length)
}
