import { describe, expect, test } from 'vitest'
import { folderOf, homeOf, pathOn, sameObjectKey } from './address.ts'

const lobby = new URL('http://10.0.0.5:8080/obix/')

describe('an href', () => {
  test.each([
    ['points/a/', '/obix/points/a/'],
    ['/other/a', '/other/a'],
    ['http://10.0.0.5:8080/obix/a?b=c', '/obix/a?b=c'],
    ['//10.0.0.5:8080/a', '/a'],
    ['../a', '/a'],
    ['', '/obix/'],
    ['a b/ä', '/obix/a%20b/%C3%A4'],
    ['http://name:word@10.0.0.5:8080/a', '/a'],
  ])('%s has the path %s on the server', (href, path) => {
    expect(pathOn(href, lobby)).toBe(path)
  })

  test.each([
    'http://10.0.0.6:8080/obix/',
    'http://10.0.0.5/obix/',
    'https://10.0.0.5:8080/obix/',
    '//evil/obix/',
    '\\\\evil\\obix',
    'http://10.0.0.5:8080@evil/',
    'file:///etc/passwd',
    'javascript:1',
    'http://[/',
  ])('%s is on another server', (href) => {
    expect(pathOn(href, lobby)).toBeUndefined()
  })

  test('has the same key with and without host and trailing slash', () => {
    const key = sameObjectKey('points/a/', lobby)
    expect(sameObjectKey('/obix/points/a', lobby)).toBe(key)
    expect(sameObjectKey('http://station.local/obix/points/a/', lobby)).toBe(key)
    expect(sameObjectKey('/obix/points/b', lobby)).not.toBe(key)
    expect(sameObjectKey('/obix/points/a?x', lobby)).not.toBe(key)
  })
})

test('a folder needs no trailing slash', () => {
  expect(folderOf(new URL('http://h/obix?x#y')).href).toBe('http://h/obix/')
  expect(folderOf(new URL('http://h/obix/')).href).toBe('http://h/obix/')
})

test("an object's own address counts only on its own server", () => {
  expect(homeOf('/obix/lobby', lobby).href).toBe('http://10.0.0.5:8080/obix/lobby/')
  expect(homeOf('http://station.local/elsewhere/', lobby).href).toBe(lobby.href)
  expect(homeOf(undefined, lobby).href).toBe(lobby.href)
})
