import { describe, expect, test } from 'vitest'
import type { SourceComment } from '../source.ts'
import { comparableTime, inOrder } from './comment-order.ts'

const comment = (createdAt: string | undefined): SourceComment => ({
  place: '',
  text: '',
  isHtml: false,
  files: [],
  createdAt,
})
const order = (...times: (string | undefined)[]) => inOrder(times.map(comment)).map(({ createdAt }) => createdAt)

const RISING = [
  ['2026-04-03', '2026-04-03 08:30', '2026-04-03T09:00', '2026-04-03T09:00:01Z', '2026-04-03T10:00:00+00:30'],
  ['2026-04-03 09:00:00-01:00', '2026-04-03T10:00:01Z', '2026-04-03T12:00:00+0100'],
  [
    '03/Apr/26',
    '03/Apr/26 12:30 AM',
    '03/Apr/2026 1:05 am',
    '03/Apr/26 12:01 PM',
    '03/Apr/26 1:00pm',
    '03/apr/26 13:01',
  ],
  'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ').map((month) => `9/${month}/26`),
  ['31/Dec/25 11:59 PM', '1/Jan/26 0:00', '2/Jan/26 0:00'],
]

describe('comments', () => {
  test.each(RISING.map((times) => [times]))('are ordered by time: %j', (times) => {
    expect(order(...times.toReversed())).toEqual(times)
  })

  test.each(['soon', undefined, '03/Foo/26', '2026-04-03 noon', '2026-13-03'])(
    'keep their order if one has the time %j',
    (time) => {
      expect(comparableTime(time)).toBeUndefined()
      expect(order('2026-04-03', time, '2026-04-01')).toEqual(['2026-04-03', time, '2026-04-01'])
    },
  )
})
