import { describe, expect, test } from 'vitest'
import { startHelper } from './helper-thread.ts'

const program = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`)

describe('a helper thread', () => {
  test('resolves with its result', async () => {
    const code = `import { parentPort, workerData } from 'node:worker_threads'; parentPort.postMessage(workerData.a + 1)`
    expect(await startHelper<number>(program(code), { a: 1 }).answer).toBe(2)
  })

  test('rejects when it dies', async () => {
    const dead = startHelper(program('process.exit(3)'), {}).answer
    await expect(dead).rejects.toThrow('A thread ended with exit code 3 and without a result')
  })

  test('rejects when it ends without a result', async () => {
    await expect(startHelper(program(''), {}).answer).rejects.toThrow(
      'A thread ended with exit code 0 and without a result',
    )
  })

  test('rejects with the error it throws', async () => {
    await expect(startHelper(program(`throw new Error('bad disk')`), {}).answer).rejects.toThrow('bad disk')
  })

  test('can be stopped while it runs in an endless loop', async () => {
    const endless = startHelper(program('for (;;) {}'), {})
    const ended = expect(endless.answer).rejects.toThrow('without a result')
    await endless.stop()
    await ended
  })
})
