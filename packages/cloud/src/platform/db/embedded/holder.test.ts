import { describe, expect, test } from 'vitest'
import { firstPid, parsePidFile } from './holder.ts'

const LINES = ['4865', '/srv/data', '1794709541', '5432', '/srv/run', '', '  2163002        12', 'ready   ', '']

describe('postmaster.pid', () => {
  test('contains the process, its socket and its status', () => {
    const file = parsePidFile(LINES.join('\n'))
    expect(file).toEqual({ pid: 4865, port: 5432, socketFolder: '/srv/run', status: 'ready' })
  })

  test('without a status means that the server is starting', () => {
    expect(parsePidFile(LINES.slice(0, 6).join('\n'))?.status).toBe('starting')
  })

  test.each([
    ['empty', ''],
    ['incomplete', '4865\n/srv/data\n'],
    ['of a single-user server', ['-4865', ...LINES.slice(1)].join('\n')],
    ['invalid', 'a\nb\nc\nd\ne\nf\n'],
  ])('that is %s is ignored', (_, text) => {
    expect(parsePidFile(text)).toBeUndefined()
  })

  test('has a first pid even when it is incomplete', () => {
    expect(firstPid('4865\n/srv')).toBe(4865)
    expect(firstPid('')).toBeUndefined()
  })
})
