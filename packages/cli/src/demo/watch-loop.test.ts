import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { expect, onTestFinished, test } from 'vitest'
import { MOST_UNANSWERED, PING_MS, watchLoop } from './watch-loop.ts'

const PART = fileURLToPath(new URL('./testing/part.ts', import.meta.url))

async function watchPart() {
  const clock = createManualClock()
  const child = spawn(process.execPath, [PART], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let isReady = false
  let answers = 0
  let blocked = 0
  child.on('message', (message: object) => {
    if ('pong' in message) answers += 1
    else isReady = true
  })
  onTestFinished(
    watchLoop(child, clock, () => {
      blocked += 1
    }),
  )
  const answered = (count: number) => eventually(() => expect([isReady, answers]).toEqual([true, count]))
  return { clock, child, answered, blocked: () => blocked }
}

test('a program that answers each ping is not blocked', async () => {
  const { clock, answered, blocked } = await watchPart()
  await answered(1)
  for (let count = 2; count < 2 * MOST_UNANSWERED; count += 1) {
    await clock.advance(PING_MS)
    await answered(count)
  }
  expect(blocked()).toBe(0)
})

test('a program that was halted for less than the limit is not blocked', async () => {
  const { clock, child, answered, blocked } = await watchPart()
  await answered(1)
  for (let count = 2; count < 5; count += 1) {
    child.kill('SIGSTOP')
    // The first interval sends a ping.
    await clock.advance(MOST_UNANSWERED * PING_MS)
    child.kill('SIGCONT')
    await answered(count)
  }
  expect(blocked()).toBe(0)
  child.kill('SIGSTOP')
  await clock.advance((MOST_UNANSWERED + 1) * PING_MS)
  expect(blocked()).toBe(1)
})

test('a program that is still loading is not blocked', async () => {
  const { clock, child, answered, blocked } = await watchPart()
  child.kill('SIGSTOP')
  await clock.advance(10 * MOST_UNANSWERED * PING_MS)
  expect(blocked()).toBe(0)
  child.kill('SIGCONT')
  await answered(1)
  child.kill('SIGKILL')
  await once(child, 'exit')
})
