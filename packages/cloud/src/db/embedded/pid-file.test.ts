import { describe, expect, test } from 'vitest'
import { firstPid, parsePidFile } from './pid-file.ts'

const LINES = ['4865', '/srv/data', '1794709541', '5432', '/srv/run', '', '  2163002        12', 'ready   ', '']

describe('postmaster.pid', () => {
  test('names the process, its socket and how far it is', () => {
    const file = parsePidFile(LINES.join('\n'))
    expect(file).toEqual({ pid: 4865, port: 5432, socketFolder: '/srv/run', status: 'ready' })
  })

  test('of a server that has not written its state is one that starts', () => {
    expect(parsePidFile(LINES.slice(0, 6).join('\n'))?.status).toBe('starting')
  })

  test.each([
    ['empty', ''],
    ['cut short', '4865\n/srv/data\n'],
    ['of a single-user server', ['-4865', ...LINES.slice(1)].join('\n')],
    ['nonsense', 'a\nb\nc\nd\ne\nf\n'],
  ])('that is %s says nothing', (_, text) => {
    expect(parsePidFile(text)).toBeUndefined()
  })

  test('gives its process also when cut short', () => {
    expect(firstPid('4865\n/srv')).toBe(4865)
    expect(firstPid('')).toBeUndefined()
  })
})
