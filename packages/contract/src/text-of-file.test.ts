import { expect, test } from 'vitest'
import { textOfFile } from './text-of-file.ts'

const TEXT = 'Küche;°C\n'
const bigEndian = () => {
  const bytes = Buffer.from(`\uFEFF${TEXT}`, 'utf16le')
  return bytes.swap16()
}

test.each([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with a mark', Buffer.from(`\uFEFF${TEXT}`)],
  ['UTF-16, as "Unicode" of Windows', Buffer.from(`\uFEFF${TEXT}`, 'utf16le')],
  ['UTF-16, the other way round', bigEndian()],
  ['Windows-1252', Buffer.from(TEXT, 'latin1')],
  ['nothing', Buffer.alloc(0)],
])('a file in %s is read with its letters', (encoding, bytes) => {
  expect(textOfFile(bytes)).toBe(encoding === 'nothing' ? '' : TEXT)
})
