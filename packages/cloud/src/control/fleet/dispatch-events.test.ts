import { createManualClock } from '@plantroom/testkit/manual-clock'
import { expect, test } from 'vitest'
import { followDispatch, type Progress } from './dispatch-events.ts'

function follow(finds: (() => Promise<Progress | undefined>)[], keeps: (count: number) => boolean) {
  const clock = createManualClock()
  const looks: (Progress | undefined)[] = []
  let asked = 0
  const stop = followDispatch({
    find: () => finds[asked++]?.() ?? Promise.resolve(undefined),
    look: (dispatch) => keeps(looks.push(dispatch)),
    clock,
  })
  return { clock, looks, stop, asked: () => asked }
}

test('a dispatch is read twice a second until the reader has seen enough', async () => {
  const dispatch = {} as Progress
  const { clock, looks, asked } = follow([async () => dispatch, async () => undefined], (count) => count < 2)
  await clock.advance(499)
  expect(asked()).toBe(0)
  await clock.advance(1)
  expect(looks).toEqual([dispatch])
  await clock.advance(500)
  expect(looks).toEqual([dispatch, undefined])
  expect(clock.waiting()).toEqual([])
})

test('a database that does not answer is asked again, and one that is slow not twice', async () => {
  const slow = Promise.withResolvers<undefined>()
  const { clock, looks, asked } = follow([() => Promise.reject(new Error('lost')), () => slow.promise], () => true)
  await clock.advance(500)
  expect([asked(), looks.length]).toEqual([1, 0])
  await clock.advance(5_000)
  expect([asked(), looks.length]).toEqual([2, 0])
  slow.resolve(undefined)
  await clock.advance(0)
  expect(looks).toHaveLength(1)
})

test('nothing is read or shown after it was stopped', async () => {
  const slow = Promise.withResolvers<undefined>()
  const { clock, looks, stop, asked } = follow([() => slow.promise], () => true)
  await clock.advance(500)
  stop()
  slow.resolve(undefined)
  await clock.advance(1_000)
  expect([asked(), looks.length, clock.waiting()]).toEqual([1, 0, []])
  const other = follow([], () => true)
  other.stop()
  await other.clock.advance(1_000)
  expect(other.asked()).toBe(0)
})
