import { describe, expect, test } from 'vitest'
import { verdictOn } from '../testing/verdict.ts'

function verdictOnNames(...names: string[]): string {
  return verdictOn(names.map((name) => ({ name })))
}

describe('two entries', () => {
  test.each([
    ['a.txt', 'a.txt', 'entry 2 (a.txt): has the same path as entry 1 (a.txt)'],
    [
      'manifest.json',
      'Manifest.JSON',
      'entry 2 (Manifest.JSON): has the same path, ignoring case and Unicode form, as entry 1 (manifest.json)',
    ],
    ['a/', 'a/', 'entry 2 (a/): has the same path as entry 1 (a/)'],
    ['a/', 'A/', 'entry 2 (A/): has the same path, ignoring case and Unicode form, as entry 1 (a/)'],
    ['õ', 'o\u0303', 'entry 2 (o\u0303): has the same path, ignoring case and Unicode form, as entry 1 (õ)'],
    ['Õ', 'o\u0303', 'entry 2 (o\u0303): has the same path, ignoring case and Unicode form, as entry 1 (Õ)'],
    ['ΣΑΣ', 'σας', 'entry 2 (σας): has the same path, ignoring case and Unicode form, as entry 1 (ΣΑΣ)'],
    ['maſs', 'mass', 'entry 2 (mass): has the same path, ignoring case and Unicode form, as entry 1 (maſs)'],
    ['\u212a', 'k', 'entry 2 (k): has the same path, ignoring case and Unicode form, as entry 1 (\u212a)'],
    ['İ', 'i\u0307', 'entry 2 (i\u0307): has the same path, ignoring case and Unicode form, as entry 1 (İ)'],
    ['a', 'a/', 'entry 1 (a): is a file and also a folder, see entry 2 (a/)'],
    ['a/', 'A', 'entry 2 (A): is a file and also a folder, see entry 1 (a/)'],
    ['a', 'a/b', 'entry 1 (a): is a file and also a folder, see entry 2 (a/b)'],
    ['õ/B/c', 'O\u0303', 'entry 2 (O\u0303): is a file and also a folder, see entry 1 (õ/B/c)'],
  ])('conflict if named %s and %s', (one, other, verdict) => {
    expect(verdictOnNames('0', one, other)).toBe(verdict)
  })

  test.each([
    ['a', 'ab'],
    ['a', 'a b'],
    ['a/', 'a/b'],
    ['a/b', 'a/c'],
    ['a', 'b/a'],
    ['Maße', 'Masse'],
    ['ısı', 'isi'],
    ['o', 'õ'],
    ['a-', 'a/b'],
  ])('do not conflict if named %s and %s', (one, other) => {
    expect(verdictOnNames(one, other)).toBe('accepted')
    expect(verdictOnNames(other, one)).toBe('accepted')
  })
})

test('conflict if one is a folder of the other, even with other names sorted between them', () => {
  const names = ['a', 'a!', 'a ', 'a-b', 'a.txt', 'a/x', 'a0']
  expect(verdictOnNames(...names)).toBe('entry 0 (a): is a file and also a folder, see entry 5 (a/x)')
})

test('with deeply nested folders are compared in less than quadratic time', () => {
  const deep = Array.from({ length: 180 }, (_, index) => ({ name: `${index}${'/a'.repeat(32_000)}` }))
  expect(verdictOn(deep)).toBe('accepted')
})
