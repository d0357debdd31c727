import { describe, expect, test } from 'vitest'
import { complaintIn } from './complaint.ts'

describe('the complaint in a log', () => {
  test('is the last fatal line, not the farewell after it', () => {
    const log = [
      '2026-11-15 02:25:41.162 UTC [48] LOG:  invalid checkpoint record',
      '2026-11-15 02:25:41.163 UTC [48] PANIC:  could not locate a valid checkpoint record',
      '2026-11-15 02:25:41.165 UTC [44] LOG:  startup process (PID 48) was terminated by signal 6',
      '2026-11-15 02:25:41.166 UTC [44] LOG:  database system is shut down',
    ].join('\n')
    expect(complaintIn(log)).toBe('could not locate a valid checkpoint record')
  })

  test('of a bad configuration names the error and the file', () => {
    const log = [
      '2026-11-15 02:25:41 UTC [48] LOG:  unrecognized configuration parameter "nonsense" in file "p.conf" line 3',
      '2026-11-15 02:25:41 UTC [48] FATAL:  configuration file "p.conf" contains errors',
    ].join('\n')
    expect(complaintIn(log)).toBe(
      'unrecognized configuration parameter "nonsense" in file "p.conf" line 3; configuration file "p.conf" contains errors',
    )
  })

  test('of initdb is its error, not what it tidies up afterwards', () => {
    const log =
      'creating subdirectories ... ok\ninitdb: error: could not create directory "x": No space left on device\ninitdb: removing contents of data directory "x"\n'
    expect(complaintIn(log)).toBe('could not create directory "x": No space left on device')
  })

  test('is the last line where nothing is marked as an error, and nothing in an empty log', () => {
    expect(complaintIn('one\nunshare: unshare failed: Operation not permitted\n\n')).toBe(
      'unshare: unshare failed: Operation not permitted',
    )
    expect(complaintIn('\n')).toBeUndefined()
  })
})
