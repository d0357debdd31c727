import { describe, expect, test } from 'vitest'
import { readCaller } from './entry-caller.ts'

describe('the caller in an entry of a device', () => {
  test('is read with empty texts as unknown', () => {
    expect(readCaller({ id: 'key_1', name: 'Market', reason: '' })).toEqual({
      id: 'key_1',
      name: 'Market',
      reason: null,
    })
    expect(readCaller({ id: 'key_1' })).toEqual({ id: 'key_1', name: null, reason: null })
  })

  test('becomes text that the database can store, whatever the caller wrote', () => {
    const reason = `a\0b\ud800c${'x'.repeat(300)}`
    const read = readCaller({ id: 'key_1', name: '\udfff', reason })
    expect(read).toEqual({ id: 'key_1', name: '\ufffd', reason: `a\ufffdb\ufffdc${'x'.repeat(250)}` })
  })

  test.each([undefined, null, 7, 'key_1', [], {}, { id: 7 }, { id: '' }])('%j is no caller', (value) => {
    expect(readCaller(value)).toBeNull()
  })
})
