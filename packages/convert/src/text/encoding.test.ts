import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { detectEncoding, namedEncoding, utf8Chunks } from './encoding.ts'

function fileOf(bytes: Uint8Array): string {
  const path = join(temporaryFolder(), 'file')
  writeFileSync(path, bytes)
  return path
}

async function read(path: string): Promise<string> {
  const pieces: Buffer[] = []
  for await (const chunk of utf8Chunks(path, await detectEncoding(path))) pieces.push(chunk)
  return Buffer.concat(pieces).toString()
}

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()

describe('the encoding of a file', () => {
  test.each([
    ['utf-8', false, Buffer.from('Tür õ'), 'Tür õ'],
    ['utf-8', false, Buffer.from('\ufeffTür'), 'Tür'],
    ['utf-16le', false, Buffer.from('\ufeffTür', 'utf16le'), 'Tür'],
    ['utf-16be', false, utf16be('\ufeffTür'), 'Tür'],
    ['utf-16le', true, Buffer.from('Title;Status', 'utf16le'), 'Title;Status'],
    ['windows-1252', true, Buffer.from([0x54, 0xfc, 0x72, 0x80]), 'Tür€'],
    ['windows-1257', true, Buffer.from([0xf0, 0x6f, 0x6b, 0x6b, 0xf5, 0xfe]), 'šokkõž'],
    ['iso-8859-15', true, Buffer.from([0xa4, 0x20, 0xfc]), '€ ü'],
  ])('%s, assumed: %s', async (name, isAssumed, bytes, text) => {
    const path = fileOf(bytes)
    expect(await detectEncoding(path)).toEqual({ name, isAssumed })
    expect(await read(path)).toBe(text)
  })

  test('does not depend on where the chunks of the file end', async () => {
    for (const shift of [0, 1, 2, 3]) {
      const text = `${'x'.repeat(262_144 - shift)}😀õ`
      const path = fileOf(Buffer.from(text))
      expect(await detectEncoding(path)).toEqual({ name: 'utf-8', isAssumed: false })
    }
  })

  test('is not UTF-8 if the last character is cut off', async () => {
    expect((await detectEncoding(fileOf(Buffer.from('Türõ').subarray(0, -1)))).name).toBe('windows-1252')
  })

  test('can be named, and must exist', () => {
    expect(namedEncoding('latin1').name).toBe('windows-1252')
    expect(() => namedEncoding('klingon')).toThrow('klingon is not a known encoding')
  })
})

describe('bytes', () => {
  const detected = (...parts: (string | number[])[]) =>
    detectEncoding(fileOf(Buffer.concat(parts.map((part) => Buffer.from(part as string)))))
  const assumed = (name: string) => ({ name, isAssumed: true })
  const certain = (name: string) => ({ name, isAssumed: false })
  const half = 'a'.repeat((1 << 18) - 1)

  test.each([
    ['nothing', [], certain('utf-8')],
    ['ASCII', ['abc'], certain('utf-8')],
    ['a mark of UTF-8', [[0xef, 0xbb, 0xbf], 'a'], certain('utf-8')],
    ['a mark of UTF-16', [[0xff, 0xfe, 0x61, 0]], certain('utf-16le')],
    ['the other mark of UTF-16', [[0xfe, 0xff, 0, 0x61]], certain('utf-16be')],
    ['half a mark', [[0xef, 0xbb], 'a'], assumed('windows-1252')],
    ['zeros after letters', [Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? 0x61 : 0))], assumed('utf-16le')],
    ['zeros before letters', [Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? 0 : 0x61))], assumed('utf-16be')],
    ['some zeros anywhere', ['aaaa', [0, 0], 'aaaa'], certain('utf-8')],
    ['two bytes over the end of a chunk', [half, 'õ'], certain('utf-8')],
    ['three bytes over the end of a chunk', [half, '€'], certain('utf-8')],
    ['three bytes, two of them before the end', [half.slice(1), '€'], certain('utf-8')],
    ['four bytes over the end of a chunk', [half, '😀'], certain('utf-8')],
    ['four bytes, two of them before the end', [half.slice(1), '😀'], certain('utf-8')],
    ['four bytes, three of them before the end', [half.slice(2), '😀'], certain('utf-8')],
    ['a letter that does not end', ['a', [0xc3]], assumed('windows-1252')],
    ['a second byte without a first', ['a', [0xbf]], assumed('windows-1252')],
    ['a wrong byte after many right ones', [half, 'aaaa', [0xe4], 'a'], assumed('windows-1252')],
    ['German letters', [[0xe4, 0xf6, 0xfc, 0xdf]], assumed('windows-1252')],
    ...[0xf0, 0xfe, 0xd0, 0xde].map((byte): [string, number[][], object] => [
      `the Baltic letter ${byte}`,
      [[0x61, byte]],
      assumed('windows-1257'),
    ]),
    ...[0x8a, 0x8e, 0x9a, 0x9e].map((byte): [string, number[][], object] => [
      `as many western letters ${byte} as Baltic ones`,
      [[byte, 0x61, 0xf0]],
      assumed('windows-1252'),
    ]),
    ['a euro where others have a currency sign', [[0xe4, 0x61, 0xa4]], assumed('iso-8859-15')],
    ['that, and what only Windows has', [[0xe4, 0x61, 0xa4, 0x61, 0x9f]], assumed('windows-1252')],
    ['that, and the first that only Windows has', [[0xe4, 0x61, 0xa4, 0x61, 0x80]], assumed('windows-1252')],
    ['that, and a space that does not break', [[0xe4, 0x61, 0xa4, 0x61, 0xa0]], assumed('iso-8859-15')],
  ] as [string, (string | number[])[], object][])('such as %s say their encoding', async (_what, parts, encoding) => {
    expect(await detected(...parts)).toEqual(encoding)
  })

  test('that begin almost like a mark are text', async () => {
    expect(await read(fileOf(Buffer.from([0xef, 0xbb, 0xbc, 0x61])))).toBe('\ufefca')
    expect(await read(fileOf(Buffer.from([0xff, 0xfe, 0x61, 0, 0x61])))).toBe('a\ufffd')
  })
})
