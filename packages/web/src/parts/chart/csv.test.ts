import { csvLine } from '@plantroom/base/csv'
import { describe, expect, test } from 'vitest'
import { csvOf, line, localTimes } from './csv.ts'

const start = Date.parse('2026-11-15T12:00:00Z')
const source = (name: string, unit?: string) => ({ name, datapointId: 'x', unit })
const raw = (...pairs: [number, number][]) => {
  const value = pairs.map(([, one]) => one)
  return { at: pairs.map(([at]) => start + at), value, low: value, high: value, count: value.map(() => 1) }
}

describe('a CSV file', () => {
  test('has a row per time, with names and units in the header and times of the site', () => {
    const series = [
      { source: source('Charge power', 'kW'), points: raw([0, 1], [60_000, -2.5]) },
      { source: source('Room, "large"'), points: raw([60_000, 21]) },
    ]
    expect(csvOf(series, 'Europe/Tallinn')).toBe(
      'Time (Europe/Tallinn),Charge power (kW),"Room, ""large"""\r\n' +
        '2026-11-15T14:00:00+02:00,1,\r\n' +
        '2026-11-15T14:01:00+02:00,-2.5,21\r\n',
    )
  })

  test('has the mean, lowest and highest value of steps', () => {
    const steps = { at: [start], value: [2], low: [1], high: [3], count: [60] }
    expect(csvOf([{ source: source('Power', 'kW'), points: steps }], 'UTC')).toBe(
      'Time (UTC),"Power (kW), mean","Power (kW), lowest","Power (kW), highest"\r\n2026-11-15T12:00:00+00:00,2,1,3\r\n',
    )
  })

  test('names both hours of a clock change', () => {
    const localTime = localTimes('Europe/Tallinn')
    expect(localTime(Date.parse('2026-10-25T00:30:00Z'))).toBe('2026-10-25T03:30:00+03:00')
    expect(localTime(Date.parse('2026-10-25T01:30:00.250Z'))).toBe('2026-10-25T03:30:00.250+02:00')
    expect(localTimes('America/St_Johns')(start)).toBe('2026-11-15T08:30:00-03:30')
  })

  test('follows the rules of the service, also for names that a spreadsheet would run', () => {
    for (const cells of [
      ['=1+1', 'a"b', 'a,b'],
      ['+', '-2', '@x'],
      [-2, 'two\nlines'],
      ['＝x', ''],
    ]) {
      expect(line(cells)).toBe(csvLine(cells))
    }
  })
})
