import { cases } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { verdictOnSource } from '../testing/verdict.ts'
import { buildZip, type EntryParts, unicodePathExtra } from '../testing/zip-builder.ts'
import { bytesSource } from './byte-source.ts'
import { verifyArchive } from './verify.ts'

const entries: EntryParts[] = [
  { name: 'manifest.json', data: '{"version":"1.0","tickets":[]}', method: 8, descriptor: 'signed' },
  { name: 'attachments/' },
  { name: 'attachments/õ.txt', data: 'stored', zip64: true },
  { name: 'attachments/ä.txt', data: 'x', extra: unicodePathExtra('attachments/ä.txt', 'attachments/ä.txt') },
  { name: 'attachments/b', data: 'streamed', descriptor: 'unsigned64', zip64: true },
]
const valid = [buildZip(entries), buildZip(entries, { zip64End: true, comment: 'comment' })]

interface Mutation {
  readonly kind: 'flip' | 'set' | 'insert' | 'delete' | 'repeat'
  readonly at: number
  readonly length: number
  readonly value: number
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('flip', 'set', 'insert', 'delete', 'repeat'),
  at: fc.nat(2_000),
  length: fc.integer({ min: 1, max: 80 }),
  value: fc.constantFrom(0, 1, 0x0a, 0x2e, 0x2f, 0x50, 0x7f, 0x80, 0xff),
})

function mutate(bytes: Uint8Array, { kind, at: anywhere, length, value }: Mutation): Uint8Array {
  const at = anywhere % (bytes.length + 1)
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
  if (kind === 'insert') return Buffer.concat([before, Buffer.alloc(length, value), after])
  if (kind === 'delete') return Buffer.concat([before, after.subarray(length)])
  if (kind === 'repeat') return Buffer.concat([before, after.subarray(0, length), after])
  const changed = Buffer.from(bytes)
  if (kind === 'set') changed.fill(value, at, Math.min(at + (length % 9), changed.length))
  else if (at < changed.length) changed[at] = (changed[at] as number) ^ (1 << (length % 8))
  return changed
}

test('any mutation of a valid archive is rejected, or yields files that lie inside it without overlap', () => {
  fc.assert(
    fc.property(fc.constantFrom(...valid), fc.array(mutation, { minLength: 1, maxLength: 3 }), (archive, mutations) => {
      const source = bytesSource(mutations.reduce(mutate, archive))
      if (verdictOnSource(source) !== 'accepted') return
      let end = 0
      for (const { offset, compressedSize, path } of verifyArchive(source).files) {
        expect(offset).toBeGreaterThanOrEqual(end + 30)
        expect(path).not.toMatch(/^\/|\\|(^|\/)\.\.?(\/|$)/)
        end = offset + compressedSize
      }
      expect(end).toBeLessThan(source.size)
    }),
    cases(250),
  )
})

test('changing any single byte of the structure is rejected or leaves the files unchanged', () => {
  for (const archive of valid) {
    const { files } = verifyArchive(bytesSource(archive))
    for (let at = 0; at < archive.length; at += 1) {
      const changed = Buffer.from(archive)
      changed[at] = (changed[at] as number) ^ 0xff
      if (verdictOnSource(bytesSource(changed)) === 'accepted') {
        expect(verifyArchive(bytesSource(changed)).files).toEqual(files)
      }
    }
  }
})
