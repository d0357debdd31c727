import { describe, expect, test } from 'vitest'
import {
  cloudMisfit,
  deviceMisfit,
  EARLIEST_SOFTWARE,
  fitOf,
  OWN_SOFTWARE,
  readSoftware,
  readTimeAnswer,
  timeAnswer,
} from './software.ts'

const software = (protocol: number, oldest: number) => ({ protocol, oldest, version: '9.9.9' })

describe('two programs', () => {
  test.each([
    ['of the same version fit', software(5, 4), software(5, 4), 'yes'],
    ['of neighbouring versions fit, whichever is newer', software(4, 3), software(5, 4), 'yes'],
    ['of neighbouring versions fit, whichever is older', software(6, 5), software(5, 4), 'yes'],
    ['do not fit when the other is too old for this one', software(3, 2), software(5, 4), 'too-old'],
    ['do not fit when this one is too old for the other', software(8, 7), software(5, 4), 'too-new'],
  ])('%s', (_what, other, own, fit) => {
    expect(fitOf(other, own)).toBe(fit)
  })

  test('of which one is from before versions were said fit', () => {
    expect(fitOf(EARLIEST_SOFTWARE)).toBe('yes')
    expect(fitOf(OWN_SOFTWARE, EARLIEST_SOFTWARE)).toBe('yes')
  })
})

describe('what a program says about itself', () => {
  test.each([undefined, null, 1, 'x', {}, { protocol: 2 }, { protocol: 0, oldest: 0 }, { protocol: 1.5, oldest: 1 }])(
    'counts as the earliest when it is %j',
    (given) => {
      expect(readSoftware(given)).toEqual(EARLIEST_SOFTWARE)
    },
  )

  test('has a version only where people can read it', () => {
    expect(readSoftware({ protocol: 3, oldest: 2, version: '1.2.3' }).version).toBe('1.2.3')
    for (const version of [7, 'x'.repeat(51), 'a\nb']) {
      expect(readSoftware({ protocol: 3, oldest: 2, version })).toEqual({ protocol: 3, oldest: 2, version: '' })
    }
  })

  test('comes with the time, which earlier controllers read as before', () => {
    expect(readTimeAnswer(timeAnswer(1_893_456_000_000))).toEqual({ time: 1_893_456_000_000, software: OWN_SOFTWARE })
    expect(Number.parseInt(timeAnswer(1_893_456_000_000), 10)).toBe(1_893_456_000_000)
    expect(readTimeAnswer('1893456000000')).toEqual({ time: 1_893_456_000_000, software: EARLIEST_SOFTWARE })
    expect(readTimeAnswer('1893456000000 {')).toEqual({ time: 1_893_456_000_000, software: EARLIEST_SOFTWARE })
  })

  test('is reported with what to do', () => {
    expect(deviceMisfit(software(1, 1), 'too-old')).toContain('Update the controller')
    expect(deviceMisfit(software(9, 8), 'too-new')).toContain('Update the service')
    expect(cloudMisfit(software(1, 1), 'too-old')).toContain('update the service')
    expect(cloudMisfit(software(9, 8), 'too-new')).toContain('update the controller')
  })
})
