import { describe, expect, test } from 'vitest'
import { blobKey, exportKey, packageKey, readKey } from './keys.ts'

describe('a key', () => {
  test('is the same for NFC and NFD names, and different for other names', () => {
    const composed = packageKey('org_a', 'site_a', 'töö.fpl')
    expect(packageKey('org_a', 'site_a', 'töö.fpl'.normalize('NFD'))).toBe(composed)
    expect(packageKey('org_a', 'site_a', 'Töö.fpl')).not.toBe(composed)
  })

  test.each(['..', 'a/b', '', 'a b', 'x'.repeat(200), 'a\0'])('rejects the id %j', (id) => {
    expect(() => packageKey('org_a', id, 'x.fpl')).toThrow('cannot be part of a key')
    expect(() => exportKey('site_a', id)).toThrow('cannot be part of a key')
    expect(() => blobKey(id, Buffer.alloc(32))).toThrow('cannot be part of a key')
    expect(readKey('exports', 'site_a', id)).toBeUndefined()
  })

  test('is read only from a well-formed address', () => {
    expect(readKey('exports', 'site_a', 'job_a')).toBe('exports/site_a/job_a')
    expect(readKey('packages', 'site_a', 'x')).toBeUndefined()
    expect(readKey('secrets', 'site_a', 'x')).toBeUndefined()
    expect(readKey('toString')).toBeUndefined()
  })
})
