import { describe, expect, test } from 'vitest'
import { createStagedMap } from './staged-map.ts'

describe('a staged map', () => {
  test('shows a change immediately, and keeps it only when change and transaction succeed', () => {
    const map = createStagedMap([['a', 1]])
    map.set('a', 2)
    map.set('b', 3)
    expect([map.get('a'), map.get('b')]).toEqual([2, 3])
    map.endChange(true)
    expect([map.get('a'), map.get('b')]).toEqual([2, 3])
    expect([...map.kept]).toEqual([['a', 1]])
    map.endTransaction(true)
    expect([...map.kept]).toEqual([
      ['a', 2],
      ['b', 3],
    ])
  })

  test('rolls back a rejected change alone', () => {
    const map = createStagedMap<string, number>()
    map.set('a', 1)
    map.endChange(true)
    map.set('a', 2)
    map.endChange(false)
    expect(map.get('a')).toBe(1)
    map.endTransaction(true)
    expect(map.get('a')).toBe(1)
  })

  test('rolls back a failed transaction with all its changes', () => {
    const map = createStagedMap([['a', 1]])
    map.set('a', undefined)
    map.endChange(true)
    map.set('b', 1)
    map.endChange(true)
    expect(map.get('a')).toBeUndefined()
    map.endTransaction(false)
    expect([...map.kept]).toEqual([['a', 1]])
    expect(map.get('a')).toBe(1)
  })

  test('removes a key set to undefined, and accepts it again', () => {
    const map = createStagedMap([
      ['a', 1],
      ['b', 1],
    ])
    map.set('a', undefined)
    map.set('b', undefined)
    map.set('b', 2)
    map.endChange(true)
    map.endTransaction(true)
    expect([...map.kept.keys()]).toEqual(['b'])
  })

  test('that is not lasting is empty once its contents are on disk', () => {
    const map = createStagedMap<string, number>([], false)
    map.set('a', 1)
    map.endChange(true)
    map.endTransaction(true)
    expect(map.get('a')).toBe(1)
    map.written()
    expect(map.get('a')).toBeUndefined()
  })
})
