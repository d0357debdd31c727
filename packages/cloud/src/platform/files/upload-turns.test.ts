import { expect, test } from 'vitest'
import { createUploadTurns } from './upload-turns.ts'

test('steps of one organization run one after the other, and those of another beside them', async () => {
  const turns = createUploadTurns()
  const running = new Map<string, number>()
  const most = new Map<string, number>()
  const step = (organization: string) => async () => {
    const now = (running.get(organization) ?? 0) + 1
    running.set(organization, now)
    most.set(organization, Math.max(now, most.get(organization) ?? 0))
    if (now === 1 && running.get('b') === 1) most.set('both', 1)
    await new Promise((resolve) => setImmediate(resolve))
    running.set(organization, now - 1)
  }
  await Promise.all(['a', 'a', 'a', 'b'].map((organization) => turns(organization)(step(organization))))
  expect(Object.fromEntries(most)).toEqual({ a: 1, b: 1, both: 1 })
})

test('a step that fails does not stop those that wait', async () => {
  const turn = createUploadTurns()('a')
  const steps = [turn(() => Promise.reject(new Error('the disk is full'))), turn(async () => 'written')]
  expect(await Promise.allSettled(steps)).toMatchObject([{ status: 'rejected' }, { value: 'written' }])
})

test('other work of the process runs between two steps', async () => {
  const turn = createUploadTurns()('a')
  const order: string[] = []
  const first = turn(async () => void setImmediate(() => order.push('other work')))
  const second = turn(async () => void order.push('the next step'))
  await Promise.all([first, second])
  expect(order).toEqual(['other work', 'the next step'])
})
