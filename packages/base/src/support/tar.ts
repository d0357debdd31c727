import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const BLOCK = 512

/** A file of an archive. */
export interface TarEntry {
  /** At most 100 bytes. */
  name: string
  content: string
}

/** Writes files into a compressed tar archive (ustar), which every system can open. */
export async function tarGzip(entries: readonly TarEntry[], modifiedAt: number): Promise<Buffer> {
  const blocks = entries.flatMap(({ name, content }) => {
    const bytes = Buffer.from(content)
    return [header(name, bytes.length, modifiedAt), bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)]
  })
  return promisify(gzip)(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]))
}

function header(name: string, size: number, modifiedAt: number): Buffer {
  const block = Buffer.alloc(BLOCK)
  const octal = (value: number, length: number) =>
    `${Math.floor(value)
      .toString(8)
      .padStart(length - 1, '0')}\0`
  block.write(name, 0, 100)
  block.write(octal(0o600, 8), 100)
  block.write(octal(0, 8), 108)
  block.write(octal(0, 8), 116)
  block.write(octal(size, 12), 124)
  block.write(octal(modifiedAt / 1000, 12), 136)
  // The sum counts its own field as spaces.
  block.fill(' ', 148, 156)
  block.write('0', 156)
  block.write('ustar\0', 257)
  block.write('00', 263)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}
