import { describe, expect, test } from 'vitest'
import { verdictOn } from '../testing/verdict.ts'
import { isNameOf } from './entry-names.ts'

describe('an entry name', () => {
  test.each([
    'manifest.json',
    'attachments/õue/äö.txt',
    'attachments/o\u0303.txt',
    'attachments/照片.jpg',
    'attachments/🏠.jpg',
    'attachments/...',
    'attachments/..a/.b/c..',
    'attachments/a:b',
    'attachments/ ',
    '1:/a',
    '\ufeffmanifest.json',
    'a'.repeat(65_535),
    `a${'\u0301\u0316'.repeat(15)}`,
  ])('may be %s', (name) => {
    expect(verdictOn([{ name, data: 'x' }])).toBe('accepted')
    expect(verdictOn([{ name, data: 'x', local: { flags: 0 }, central: { flags: 0 } }])).toBe('accepted')
  })

  test.each([
    ['', 'entry 0: the name is empty'],
    ['/', 'entry 0 (/): the name is an absolute path'],
    ['/etc/passwd', 'entry 0 (/etc/passwd): the name is an absolute path'],
    ['c:', 'entry 0 (c:): the name starts with a drive letter'],
    ['C:/a.txt', 'entry 0 (C:/a.txt): the name starts with a drive letter'],
    ['a\\b.txt', 'entry 0 (a\\b.txt): the name has a backslash'],
    ['..', 'entry 0 (..): the name has a .. segment'],
    ['../a', 'entry 0 (../a): the name has a .. segment'],
    ['a/../b', 'entry 0 (a/../b): the name has a .. segment'],
    ['a/..', 'entry 0 (a/..): the name has a .. segment'],
    ['a/../', 'entry 0 (a/../): the name has a .. segment'],
    ['.', 'entry 0 (.): the name has a . segment'],
    ['./a', 'entry 0 (./a): the name has a . segment'],
    ['a/./', 'entry 0 (a/./): the name has a . segment'],
    ['a//b', 'entry 0 (a//b): the name has an empty segment'],
    ['a//', 'entry 0 (a//): the name has an empty segment'],
    ['a\0.txt', 'entry 0 (a\\u0000.txt): the name has a control character'],
    ['a\n', 'entry 0 (a\\n): the name has a control character'],
    ['a\x7f', 'entry 0 (a\\u007f): the name has a control character'],
    ['a\x85', 'entry 0 (a\\u0085): the name has a control character'],
  ])('must not be %j', (name, verdict) => {
    expect(verdictOn([{ name }])).toBe(verdict)
  })

  test('must not have so many combining marks that composing it takes quadratic time', () => {
    const name = `a${'\u0301\u0316'.repeat(16_000)}`
    expect(verdictOn([{ name }])).toMatch(/^entry 0 \(a.{99}…\): the name has more than 30 combining marks in a row$/)
  })

  test.each([
    ['an old code page', Buffer.from('\xf5ue.txt', 'latin1'), '\ufffdue.txt'],
    ['an overlong slash', Buffer.from('a\xc0\xafb', 'latin1'), 'a\ufffd\ufffdb'],
    ['half of a surrogate pair', Buffer.from('\xed\xa0\x80', 'latin1'), '\ufffd\ufffd\ufffd'],
    ['a truncated character', Buffer.from('a\xc3', 'latin1'), 'a\ufffd'],
  ])('must not be %s, with or without the UTF-8 flag', (_, name, shown) => {
    const verdict = `entry 0 (${shown}): the name is not valid UTF-8`
    expect(verdictOn([{ name }])).toBe(verdict)
    expect(verdictOn([{ name, central: { flags: 0 }, local: { flags: 0 } }])).toBe(verdict)
  })

  test('is truncated in messages, between characters', () => {
    expect(verdictOn([{ name: `/${'a'.repeat(99)}` }])).toBe(
      `entry 0 (/${'a'.repeat(99)}): the name is an absolute path`,
    )
    expect(verdictOn([{ name: `/${'🏠'.repeat(100)}` }])).toBe(
      `entry 0 (/${'🏠'.repeat(99)}…): the name is an absolute path`,
    )
  })

  test('is compared with the local header byte by byte, not character by character', () => {
    const latin1 = Buffer.from('\xe9', 'latin1')
    expect(isNameOf('é', latin1, 0, 1)).toBe(false)
    expect(isNameOf('é', Buffer.from('é'), 0, 2)).toBe(true)
    expect(isNameOf('ab', Buffer.from('xabx'), 1, 3)).toBe(true)
    expect(isNameOf('ab', Buffer.from('xaBx'), 1, 3)).toBe(false)
  })
})
