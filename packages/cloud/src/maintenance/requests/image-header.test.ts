import { describe, expect, test } from 'vitest'
import { readImageHeader } from './image-header.ts'
import { avif, gif, jpeg, png, webp } from './testing/images.ts'

describe('a picture is recognized by its bytes, with its size', () => {
  test.each([
    ['PNG', png(640, 480), 'image/png'],
    ['JPEG', jpeg(640, 480), 'image/jpeg'],
    ['JPEG with 200 kB of metadata', jpeg(640, 480, 200_000), 'image/jpeg'],
    ['GIF', gif(640, 480), 'image/gif'],
    ['WebP, lossy', webp('VP8 ', 640, 480), 'image/webp'],
    ['WebP, lossless', webp('VP8L', 640, 480), 'image/webp'],
    ['WebP, extended', webp('VP8X', 640, 480), 'image/webp'],
    ['AVIF', avif(640, 480), 'image/avif'],
  ])('%s', (_name, bytes, type) => {
    expect(readImageHeader(bytes)).toEqual({ type, width: 640, height: 480 })
  })

  test('a GIF is as large as its first frame', () => {
    expect(readImageHeader(gif(1, 1, { width: 60_000, height: 50_000 }))).toMatchObject({
      width: 60_000,
      height: 50_000,
    })
  })

  test('an AVIF is as large as its largest part', () => {
    expect(readImageHeader(avif(30_000, 30_000, 512))).toMatchObject({ width: 30_000, height: 30_000 })
  })
})

test('more bytes are asked for while the header is incomplete', () => {
  for (const bytes of [jpeg(640, 480, 200_000), gif(640, 480), avif(640, 480)]) {
    for (let length = 0; length < 36; length += 1)
      expect(['more', undefined]).toContain(readImageHeader(bytes.subarray(0, length)))
  }
  expect(readImageHeader(jpeg(640, 480, 200_000).subarray(0, 100_000))).toBe('more')
})

test.each([
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ['SVG after an XML declaration', '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['HTML', '<!doctype html><html><script>alert(1)</script></html>'],
  ['PDF', '%PDF-1.7 and then something that is long enough'],
  ['BMP', `BM${'\0'.repeat(60)}`],
  ['an empty JPEG', `\u00ff\u00d8\u00ff\u00d9${'\0'.repeat(60)}`],
  ['a video', `\0\0\0\u0018ftypmp42${'\0'.repeat(60)}`],
])('%s is no picture', (_name, text) => {
  expect(readImageHeader(Buffer.from(text, 'latin1'))).toBeUndefined()
})

test('random bytes behind each signature never throw', () => {
  for (const start of [png(1, 1), jpeg(1, 1), gif(1, 1), webp('VP8X', 1, 1), avif(1, 1)]) {
    for (let seed = 0; seed < 300; seed += 1) {
      const bytes = Buffer.concat([start, Buffer.alloc(64)])
      for (let at = 8; at < bytes.length; at += 1)
        if ((at * 7919 + seed * 104_729) % 5 === 0) bytes[at] = (at * seed) % 256
      expect(() => readImageHeader(bytes)).not.toThrow()
    }
  }
})
