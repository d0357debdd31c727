/** A picture that every browser shows and none executes. */
export interface ImageHeader {
  type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/avif'
  width: number
  height: number
}

/** `undefined`: not a picture of these kinds, or damaged. `more`: the header is longer than these bytes. */
type Found = ImageHeader | 'more' | undefined

/**
 * Recognizes a picture by its first bytes and reads its size, without decoding it: a small file can declare billions of
 * pixels. Never looks at names or declared types.
 */
export function readImageHeader(head: Buffer): Found {
  if (head.length < 32) return 'more'
  if (head.subarray(0, 8).equals(PNG)) return readPng(head)
  if (head.readUInt16BE(0) === 0xffd8) return readJpeg(head)
  const start = ascii(head, 0, 6)
  if (start === 'GIF87a' || start === 'GIF89a') return readGif(head)
  if (start.startsWith('RIFF') && ascii(head, 8, 12) === 'WEBP') return readWebp(head)
  if (ascii(head, 4, 8) === 'ftyp') return readAvif(head)
  return undefined
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const ascii = (head: Buffer, from: number, to: number) => head.toString('latin1', from, to)

function readPng(head: Buffer): Found {
  if (ascii(head, 12, 16) !== 'IHDR') return undefined
  return { type: 'image/png', width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
}

/** Walks the segments to the frame header, which comes after metadata of any size. */
function readJpeg(head: Buffer): Found {
  for (let at = 2; ; ) {
    if (at + 10 > head.length) return 'more'
    if (head[at] !== 0xff) return undefined
    const marker = head[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { type: 'image/jpeg', height: head.readUInt16BE(at + 5), width: head.readUInt16BE(at + 7) }
    const length = head.readUInt16BE(at + 2)
    // Image data without a frame header before it.
    if (length < 2 || marker === 0xda || marker === 0xd9) return undefined
    at += 2 + length
  }
}

/** Browsers enlarge the screen of a GIF to its first frame. */
function readGif(head: Buffer): Found {
  const tableBytes = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))
  for (let at = 13 + tableBytes(head[10] ?? 0); ; ) {
    if (at + 10 > head.length) return 'more'
    if (head[at] === 0x2c) {
      const width = head.readUInt16LE(at + 1) + head.readUInt16LE(at + 5)
      const height = head.readUInt16LE(at + 3) + head.readUInt16LE(at + 7)
      return {
        type: 'image/gif',
        width: Math.max(head.readUInt16LE(6), width),
        height: Math.max(head.readUInt16LE(8), height),
      }
    }
    if (head[at] !== 0x21) return undefined
    at += 2
    // Blocks of an extension, each after its length.
    for (;;) {
      const length = head[at]
      if (length === undefined) return 'more'
      at += 1 + length
      if (length === 0) break
    }
  }
}

function readWebp(head: Buffer): Found {
  const type = 'image/webp'
  switch (ascii(head, 12, 16)) {
    case 'VP8 ':
      return { type, width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = head.readUInt32LE(21)
      return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { type, width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}

/** Takes the largest size that the metadata names: tiles have sizes of their own. */
function readAvif(head: Buffer): Found {
  const end = head.readUInt32BE(0)
  if (end < 16 || end > 1024) return undefined
  if (head.length < end + 8) return 'more'
  const brands = Array.from({ length: Math.floor((end - 8) / 4) }, (_, place) =>
    ascii(head, 8 + 4 * place, 12 + 4 * place),
  )
  if (!brands.includes('avif')) return undefined
  if (ascii(head, end + 4, end + 8) !== 'meta') return undefined
  const metaEnd = end + head.readUInt32BE(end)
  if (metaEnd > head.length) return 'more'
  let found: ImageHeader | undefined
  for (let at = head.indexOf('ispe', end); at !== -1 && at + 16 <= metaEnd; at = head.indexOf('ispe', at + 4)) {
    const width = Math.max(head.readUInt32BE(at + 8), found?.width ?? 0)
    const height = Math.max(head.readUInt32BE(at + 12), found?.height ?? 0)
    found = { type: 'image/avif', width, height }
  }
  return found
}
