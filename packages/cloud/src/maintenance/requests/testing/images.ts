/** The beginnings of pictures, as far as their size. */

const u16 = (value: number) => Buffer.from([value >> 8, value & 255])
const u16le = (value: number) => Buffer.from([value & 255, value >> 8])
const u24le = (value: number) => Buffer.from([value & 255, (value >> 8) & 255, (value >> 16) & 255])
const u32 = (value: number) => Buffer.from([value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255])
const ascii = (text: string) => Buffer.from(text, 'latin1')
const padding = Buffer.alloc(32)

export const png = (width: number, height: number) =>
  Buffer.concat([ascii('\u0089PNG\r\n\u001a\n'), u32(13), ascii('IHDR'), u32(width), u32(height), padding])

export function jpeg(width: number, height: number, metadata = 16): Buffer {
  const segments: Buffer[] = []
  for (let left = metadata; left > 0; left -= 60_000) {
    const length = Math.min(left, 60_000)
    segments.push(Buffer.from([0xff, 0xe1]), u16(length + 2), Buffer.alloc(length, 0xff))
  }
  const frame = [Buffer.from([0xff, 0xc2]), u16(17), Buffer.from([8]), u16(height), u16(width), padding]
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, ...frame])
}

export function gif(width: number, height: number, frame = { width, height }): Buffer {
  const comment = Buffer.from([0x21, 0xfe, 3, 1, 2, 3, 2, 1, 2, 0])
  const head = [ascii('GIF89a'), u16le(width), u16le(height), Buffer.from([0x80, 0, 0]), Buffer.alloc(6)]
  const image = [Buffer.from([0x2c]), u16le(0), u16le(0), u16le(frame.width), u16le(frame.height)]
  return Buffer.concat([...head, comment, ...image, padding])
}

export function webp(kind: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Buffer {
  const size = {
    'VP8 ': () => [Buffer.alloc(3), Buffer.from([0x9d, 1, 0x2a]), u16le(width), u16le(height)],
    VP8L: () => {
      const bits = (width - 1) | ((height - 1) << 14)
      return [Buffer.from([0x2f]), u16le(bits & 0xffff), u16le(bits >>> 16)]
    },
    VP8X: () => [Buffer.alloc(4), u24le(width - 1), u24le(height - 1)],
  }[kind]()
  return Buffer.concat([ascii('RIFF'), Buffer.alloc(4), ascii('WEBP'), ascii(kind), Buffer.alloc(4), ...size, padding])
}

const box = (name: string, ...content: Buffer[]) => {
  const body = Buffer.concat(content)
  return Buffer.concat([u32(body.length + 8), ascii(name), body])
}

export function avif(width: number, height: number, tile?: number): Buffer {
  const ispe = (w: number, h: number) => box('ispe', Buffer.alloc(4), u32(w), u32(h))
  const sizes = [ispe(width, height), ...(tile === undefined ? [] : [ispe(tile, tile)])]
  const meta = box('meta', Buffer.alloc(4), box('iprp', box('ipco', ...sizes)))
  return Buffer.concat([box('ftyp', ascii('avif'), u32(0), ascii('mif1avif')), meta, padding])
}
