import { createManualClock } from '@plantroom/testkit/manual-clock'
import { expect, test } from 'vitest'
import { createGathering } from './gathering.ts'

const LONGEST_MS = 250

function open(run = async (items: readonly number[]): Promise<readonly number[]> => items.map((item) => item * 10)) {
  const clock = createManualClock()
  const groups: (readonly number[])[] = []
  const gathering = createGathering({
    run: (items: readonly number[]) => {
      groups.push(items)
      return run(items)
    },
    longestMs: LONGEST_MS,
    clock,
  })
  return { gathering, groups, clock }
}

test('items that are announced together are one group, and each gets its result', async () => {
  const { gathering, groups } = open()
  const results = [1, 2, 3].map((item) => gathering.expect().add(item))
  expect(await Promise.all(results)).toEqual([10, 20, 30])
  expect(groups).toEqual([[1, 2, 3]])
})

test('waits for an announced item, or until there is none after all', async () => {
  const { gathering, groups, clock } = open()
  const [first, second] = [gathering.expect(), gathering.expect()]
  const result = first.add(1)
  await clock.advance(LONGEST_MS - 1)
  expect(groups).toEqual([])
  second.dismiss()
  expect(await result).toBe(10)
  expect(groups).toEqual([[1]])
})

test('waits for a slow one no longer than agreed, which then is in a group of its own', async () => {
  const { gathering, groups, clock } = open()
  const [first, slow] = [gathering.expect(), gathering.expect()]
  const result = first.add(1)
  await clock.advance(LONGEST_MS)
  expect(await result).toBe(10)
  expect(await slow.add(2)).toBe(20)
  expect(groups).toEqual([[1], [2]])
  expect(clock.waiting()).toEqual([])
})

test('dismissing an item that was added, or twice, changes nothing', async () => {
  const { gathering, groups } = open()
  const other = gathering.expect()
  const one = gathering.expect()
  const result = one.add(1)
  one.dismiss()
  one.dismiss()
  expect(groups).toEqual([])
  other.dismiss()
  expect(await result).toBe(10)
})

test('an item that fails does not take the others of its group with it', async () => {
  const { gathering, groups } = open(async (items) => {
    if (items.includes(2)) throw new Error('text that the database refuses')
    return items
  })
  const settled = await Promise.allSettled([1, 2, 3].map((item) => gathering.expect().add(item)))
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(groups).toEqual([[1, 2, 3], [1], [2], [3]])
})

test('after a failure, the next group runs', async () => {
  let isDown = true
  const { gathering } = open(async (items) => {
    if (isDown) throw new Error('the connection was lost')
    return items
  })
  await expect(gathering.expect().add(1)).rejects.toThrow('the connection was lost')
  isDown = false
  expect(await gathering.expect().add(3)).toBe(3)
})
