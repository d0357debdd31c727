import { describe, expect, test } from 'vitest'
import { doubtfulNumbers, readDate } from './dates.ts'
import { type Zone, zoneOf } from './zone.ts'

const tallinn = zoneOf('Europe/Tallinn') as Zone
const read = (text: string, order: 'dmy' | 'mdy' = 'dmy') => {
  const moment = readDate(text, { order, zone: tallinn })
  return moment ? new Date(moment.ms).toISOString().replace('.000Z', 'Z') : moment
}

describe('a date', () => {
  test.each([
    ['2026-04-03T14:05:00Z', '2026-04-03T14:05:00Z'],
    ['2026-04-03T14:05:00.250+02:00', '2026-04-03T12:05:00.250Z'],
    ['2026-04-03 14:05', '2026-04-03T11:05:00Z'],
    ['2026-04-03 14:05:09 UTC', '2026-04-03T14:05:09Z'],
    ['2026-04-03 14:05:09 +0300', '2026-04-03T11:05:09Z'],
    ['2026-04-03', '2026-04-02T21:00:00Z'],
    ['2026/04/03', '2026-04-02T21:00:00Z'],
    ['20260403', '2026-04-02T21:00:00Z'],
    ['20260403T140500Z', '2026-04-03T14:05:00Z'],
    ['03.04.2026 14:05', '2026-04-03T11:05:00Z'],
    ['3.4.26', '2026-04-02T21:00:00Z'],
    ['03.04.2026, 14:05:06 Uhr', '2026-04-03T11:05:06Z'],
    ['03.04.2026 kell 14.05', '2026-04-03T11:05:00Z'],
    ['Apr 3, 2026', '2026-04-02T21:00:00Z'],
    ['April 3rd, 2026 at 2:05 PM', '2026-04-03T11:05:00Z'],
    ['Friday, April 3, 2026 2:05 PM', '2026-04-03T11:05:00Z'],
    ['3. April 2026', '2026-04-02T21:00:00Z'],
    ['3. märts 2026', '2026-03-02T22:00:00Z'],
    ['3. Dezember 2026 08:00', '2026-12-03T06:00:00Z'],
    ['03-Apr-26', '2026-04-02T21:00:00Z'],
    ['03/Apr/26 2:05 PM', '2026-04-03T11:05:00Z'],
    ['Fri, 3 Apr 2026 14:05:00 +0200 (CEST)', '2026-04-03T12:05:00Z'],
    ['3 Apr 2026 14:05:00 GMT', '2026-04-03T14:05:00Z'],
    ['Fri Apr  3 14:05:00 2026', '2026-04-03T11:05:00Z'],
    ['Fri Apr 03 14:05:00 UTC 2026', '2026-04-03T14:05:00Z'],
    ['3 avr. 2026 à 14:05', '2026-04-03T11:05:00Z'],
    ['1er août 2026 14h05', '2026-08-01T11:05:00Z'],
    ['03/févr./26 2:05 PM', '2026-02-03T12:05:00Z'],
    ['3 de abril de 2026 às 14:05 h', '2026-04-03T11:05:00Z'],
    ['3 de diciembre de 2026 14:05', '2026-12-03T12:05:00Z'],
    ['3 mag 2026, 14:05', '2026-05-03T11:05:00Z'],
    ['3 mrt. 2026 om 14:05', '2026-03-03T12:05:00Z'],
    ['3 października 2026 14:05', '2026-10-03T11:05:00Z'],
    ['Lun 6 Jui 2026 14:05:00', '2026-07-06T11:05:00Z'],
    ['Fr 3. Apr 14:05:00 2026', '2026-04-03T11:05:00Z'],
    ['E 6.veebr 2026 14:05:00', '2026-02-06T12:05:00Z'],
    ['1775225100', '2026-04-03T14:05:00Z'],
    ['1775225100000', '2026-04-03T14:05:00Z'],
    ['46115.586805555555', '2026-04-03T11:05:00Z'],
    ['12/31/99 12:00 AM', '1999-12-30T22:00:00Z', 'mdy'],
    ['4/3/2026 2:05 PM', '2026-04-03T11:05:00Z', 'mdy'],
    ['4/3/2026 12:05 am', '2026-03-03T22:05:00Z', 'dmy'],
  ] as const)('%s is %s', (text, expected, order = 'dmy') => {
    expect(read(text, order)).toBe(expected)
  })

  test.each([
    ...['30.02.2026', '2026-02-30', '2026-13-01', '4/13/2026', '31.04.2026 10:00', 'Feb 30, 2026', '2026', '12345'],
    ...[
      'yesterday',
      '2026-04-03 25:00',
      '2026-04-03 13:05 PM',
      '2026-04-03 14:05 XYZ',
      '03.04.2026 and later',
      '1/2/3/4',
    ],
  ])('%s is refused', (text) => {
    expect(read(text)).toBeUndefined()
  })

  test('that MySQL writes for none is none', () => {
    expect(read('0000-00-00 00:00:00')).toBeNull()
  })

  test('is in doubt only where slashes or dashes separate numbers', () => {
    expect(doubtfulNumbers('13/4/2026 10:00')).toEqual([13, 4])
    expect(doubtfulNumbers('13.4.2026')).toBeUndefined()
    expect(doubtfulNumbers('2026-04-13')).toBeUndefined()
  })
})

describe('a local time', () => {
  test('that the clock shows twice is the earlier moment', () => {
    const moment = readDate('2026-10-25 03:30', { order: 'dmy', zone: tallinn })
    expect(moment).toEqual({ ms: Date.parse('2026-10-25T00:30:00Z'), doubt: 'repeated' })
  })

  test('that the clock skips is read as if it had not been changed', () => {
    const moment = readDate('2026-03-29 03:30', { order: 'dmy', zone: tallinn })
    expect(moment).toEqual({ ms: Date.parse('2026-03-29T01:30:00Z'), doubt: 'skipped' })
  })

  test('next to a change is exact', () => {
    expect(read('2026-10-25 02:59:59')).toBe('2026-10-24T23:59:59Z')
    expect(read('2026-10-25 04:00')).toBe('2026-10-25T02:00:00Z')
    expect(read('2026-03-29 04:00')).toBe('2026-03-29T01:00:00Z')
  })

  test('agrees with Intl at every hour of years with odd changes', () => {
    for (const name of [
      'Europe/Tallinn',
      'America/New_York',
      'Africa/Casablanca',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
    ]) {
      const zone = zoneOf(name) as Zone
      const format = new Intl.DateTimeFormat('sv-SE', { timeZone: name, dateStyle: 'short', timeStyle: 'medium' })
      for (let ms = Date.UTC(2026, 0, 1); ms < Date.UTC(2027, 0, 1); ms += 7 * 3_600_000) {
        const local = Date.parse(`${format.format(ms).replace(' ', 'T')}Z`)
        const moment = zone.momentOf(local)
        if (moment.doubt === undefined) expect([name, moment.ms]).toEqual([name, ms])
      }
    }
  })

  test('of an unknown zone is none', () => {
    expect(zoneOf('Europe/Nowhere')).toBeUndefined()
  })
})

test.each([
  ['19000101', '1900-01-01T00:00:00Z'],
  ['21991231', '2199-12-31T00:00:00Z'],
  ['18991231', undefined],
  ['22000101', undefined],
])('the digits %s are a date only of years that requests have: %s', (text, iso) => {
  const moment = readDate(text, { order: 'dmy', zone: zoneOf('UTC') as Zone })
  expect(moment && new Date(moment.ms).toISOString()).toBe(iso?.replace('Z', '.000Z'))
})
