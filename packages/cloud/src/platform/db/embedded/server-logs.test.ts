import { describe, expect, test } from 'vitest'
import { lastError } from './server-logs.ts'

describe('the last error in a log', () => {
  test('is the last fatal line, not the shutdown message after it', () => {
    const log = [
      '2026-11-15 02:25:41.162 UTC [48] LOG:  invalid checkpoint record',
      '2026-11-15 02:25:41.163 UTC [48] PANIC:  could not locate a valid checkpoint record',
      '2026-11-15 02:25:41.165 UTC [44] LOG:  startup process (PID 48) was terminated by signal 6',
      '2026-11-15 02:25:41.166 UTC [44] LOG:  database system is shut down',
    ].join('\n')
    expect(lastError(log)).toBe('could not locate a valid checkpoint record')
  })

  test('names the error and the file of a bad configuration', () => {
    const log = [
      '2026-11-15 02:25:41 UTC [48] LOG:  unrecognized configuration parameter "nonsense" in file "p.conf" line 3',
      '2026-11-15 02:25:41 UTC [48] FATAL:  configuration file "p.conf" contains errors',
    ].join('\n')
    expect(lastError(log)).toBe(
      'unrecognized configuration parameter "nonsense" in file "p.conf" line 3; configuration file "p.conf" contains errors',
    )
  })

  test('is the error of initdb, not its cleanup', () => {
    const log =
      'creating subdirectories ... ok\ninitdb: error: could not create directory "x": No space left on device\ninitdb: removing contents of data directory "x"\n'
    expect(lastError(log)).toBe('could not create directory "x": No space left on device')
  })

  test('is the last line when no line is marked as an error, and undefined for an empty log', () => {
    expect(lastError('one\nunshare: unshare failed: Operation not permitted\n\n')).toBe(
      'unshare: unshare failed: Operation not permitted',
    )
    expect(lastError('\n')).toBeUndefined()
  })
})
