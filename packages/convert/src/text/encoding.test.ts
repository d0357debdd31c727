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
