import { describe, expect, test } from 'vitest'
import { type Lane, RequestQueue } from './request-queue.ts'

const [ONE, OTHER] = ['one', 'other']

function queueOf(...items: [lane: Lane, item: string, user?: string][]) {
  const queue = new RequestQueue<string, string>()
  queue.join(ONE)
  queue.join(OTHER)
  for (const [lane, item, user = ONE] of items) queue.add(user, lane, item)
  return queue
}

function drain(queue: RequestQueue<string, string>): readonly string[] {
  const items: string[] = []
  for (let next = queue.next(); next; next = queue.next()) items.push(next.item)
  return items
}

describe('queued requests', () => {
  test('are sent by lane: releases, setpoints, probes, urgent reads, polls', () => {
    const queue = queueOf(['poll', 'p'], ['urgent', 'u'], ['probe', 'l'], ['setpoint', 's'], ['release', 'r'])
    queue.add(OTHER, 'release', 'r2')
    expect(drain(queue)).toEqual(['r', 'r2', 's', 'l', 'u', 'p'])
  })

  test('in one lane alternate between users, and keep their order for each user', () => {
    const queue = queueOf(['poll', 'a1'], ['poll', 'a2'], ['poll', 'b1', OTHER], ['poll', 'b2', OTHER])
    expect(drain(queue)).toEqual(['a1', 'b1', 'a2', 'b2'])
  })

  test('let one poll pass after ten setpoints and urgent reads', () => {
    const queue = queueOf(['poll', 'p1'], ['poll', 'p2', OTHER])
    for (let index = 0; index < 12; index += 1) queue.add(ONE, index % 2 ? 'urgent' : 'setpoint', `${index}`)
    const order = drain(queue)
    expect([order.indexOf('p1'), order.indexOf('p2')].sort()).toEqual([10, 13])
    expect(order).toHaveLength(14)
  })

  test('never let a poll pass before a release', () => {
    const queue = queueOf(['poll', 'p'])
    for (let index = 0; index < 30; index += 1) queue.add(ONE, 'release', `${index}`)
    expect(drain(queue).at(-1)).toBe('p')
  })

  test('for the registers of a release are sent before it if they were queued first, so that none undoes it', () => {
    const queue = queueOf(['setpoint', 'x=1'], ['setpoint', 'y=1'], ['setpoint', 'x=2'])
    queue.addRelease(ONE, 'x=0', (setpoint) => setpoint.startsWith('x'))
    queue.add(ONE, 'setpoint', 'x=3')
    expect(drain(queue)).toEqual(['x=1', 'x=2', 'x=0', 'y=1', 'x=3'])
  })

  test('are returned when their user leaves, and those of others stay', () => {
    const queue = queueOf(['poll', 'p'], ['release', 'r'], ['poll', 'q', OTHER])
    expect(queue.leave(ONE)).toEqual(['r', 'p'])
    expect(queue.add(ONE, 'poll', 'late')).toBe(false)
    expect(drain(queue)).toEqual(['q'])
    expect(queue.isEmpty()).toBe(false)
    queue.leave(OTHER)
    expect(queue.isEmpty()).toBe(true)
  })

  test('go back to the front of their lane', () => {
    const queue = queueOf(['poll', 'a1'], ['poll', 'a2'])
    const first = queue.next()
    expect(queue.putBack(ONE, 'poll', first?.item ?? '')).toBe(true)
    expect(drain(queue)).toEqual(['a1', 'a2'])
    queue.leave(ONE)
    expect(queue.putBack(ONE, 'poll', 'a1')).toBe(false)
  })

  test.each<[waiting: Lane, by: string, inProgress: Lane, isMoreUrgent: boolean]>([
    ['release', OTHER, 'poll', true],
    ['setpoint', ONE, 'poll', true],
    ['urgent', OTHER, 'poll', true],
    ['urgent', OTHER, 'probe', true],
    ['poll', OTHER, 'poll', false],
    ['probe', OTHER, 'poll', false],
    ['setpoint', OTHER, 'urgent', true],
    ['urgent', OTHER, 'urgent', false],
    ['release', OTHER, 'setpoint', true],
    ['setpoint', OTHER, 'release', true],
    ['release', ONE, 'setpoint', false],
    ['urgent', OTHER, 'setpoint', false],
  ])('%s of %s beside a %s in progress: more urgent is %s', (waiting, by, inProgress, isMoreUrgent) => {
    expect(queueOf([waiting, 'w', by]).hasMoreUrgent(ONE, inProgress)).toBe(isMoreUrgent)
  })
})
