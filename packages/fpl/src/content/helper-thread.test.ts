import { describe, expect, test } from 'vitest'
import { startHelper } from './helper-thread.ts'

const program = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`)

describe('a helper thread', () => {
  test('gives its answer', async () => {
    const code = `import { parentPort, workerData } from 'node:worker_threads'; parentPort.postMessage(workerData.a + 1)`
    expect(await startHelper<number>(program(code), { a: 1 }).answer).toBe(2)
  })

  test('that dies is an error, not silence', async () => {
    const dead = startHelper(program('process.exit(3)'), {}).answer
    await expect(dead).rejects.toThrow('A thread ended with 3 and without an answer')
  })

  test('that ends without a word is an error, too', async () => {
    await expect(startHelper(program(''), {}).answer).rejects.toThrow('A thread ended with 0 and without an answer')
  })

  test('that throws gives its error', async () => {
    await expect(startHelper(program(`throw new Error('bad disk')`), {}).answer).rejects.toThrow('bad disk')
  })

  test('that goes on for ever can be stopped', async () => {
    const endless = startHelper(program('for (;;) {}'), {})
    const ended = expect(endless.answer).rejects.toThrow('without an answer')
    await endless.stop()
    await ended
  })
})
