import { expect, test } from 'vitest'
import { monthOf, offsetOf } from './date-words.ts'

test.each([
  ['January Jan. Januar Jaanuar Jänner jän', 1],
  ['February Februar Veb', 2],
  ['March März mrz Maerz Märts', 3],
  ['April apr aprill', 4],
  ['May Mai', 5],
  ['June Juni Juuni', 6],
  ['July Juli Juuli', 7],
  ['August', 8],
  ['September Sept', 9],
  ['October Oktober Oktoober', 10],
  ['November', 11],
  ['December Dezember Detsember', 12],
  ['Someday 4 ma j ', undefined],
])('%s: month %s', (names, month) => {
  expect(new Set(names.split(' ').map((name) => monthOf(name)))).toEqual(new Set([month]))
})

test('a missing name is no month', () => {
  expect(monthOf(undefined)).toBeUndefined()
})

test.each([
  ['Z UT UTC gmt WET', 0],
  ['WEST CET MEZ +01 +1 +0100 +01:00 GMT+1', 60],
  ['CEST MESZ EET UTC+2', 120],
  ['EEST +03:00', 180],
  ['EST CDT -05:00', -300],
  ['EDT', -240],
  ['CST MDT', -360],
  ['MST PDT', -420],
  ['PST', -480],
  ['+05:30', 330],
  ['-03:59', -239],
  ['+14:00', 840],
  ['+15 +14:60 XYZ constructor', undefined],
])('%s: %s minutes east of UTC', (zones, minutes) => {
  expect(zones.split(' ').map((zone) => offsetOf(zone))).toEqual(zones.split(' ').map(() => minutes))
})

test('the comment of a zone does not count', () => {
  expect([offsetOf('+0300 (EEST)'), offsetOf('GMT +3'), offsetOf('+3 EEST')]).toEqual([180, 180, undefined])
})
