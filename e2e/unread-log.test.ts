import { spawnSync } from 'node:child_process'
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dispatcherOf } from './support/dispatcher.ts'
import { eventually } from './support/eventually.ts'
import { ownFolder } from './support/folder.ts'
import { startStack } from './support/stack.ts'

const POWER = 'Charge power'

/** Makes a pipe that takes nothing more, as after a reader that stopped reading. */
function fullPipe(path: string) {
  expect(spawnSync('mkfifo', [path]).status).toBe(0)
  const reader = new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), writable: false })
  const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  const fill = () => {
    for (;;) writeSync(writer, '\n'.repeat(4096))
  }
  expect(fill).toThrow('EAGAIN')
  return { reader, writer }
}

test('a controller whose log nobody reads starts, holds equipment and releases it', async () => {
  await using cleanup = new AsyncDisposableStack()
  const { reader, writer } = fullPipe(join(cleanup.use(ownFolder()).path, 'log'))
  cleanup.defer(() => void reader.destroy())
  cleanup.defer(() => closeSync(writer))
  const stack = cleanup.use(await startStack({ edgeStdout: writer }))
  const dispatcher = dispatcherOf(stack)
  const before = await dispatcher.register(POWER)

  const id = await dispatcher.hold(POWER, 31, { to: 10_000 })
  await dispatcher.registerBecomes(POWER, 31)
  await dispatcher.registerBecomes(POWER, before)
  expect(await dispatcher.reportsOn(id, 2)).toMatchObject([
    { phase: 'applied' },
    { phase: 'released', reason: 'ended' },
  ])

  let text = ''
  reader.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  await eventually(() => expect(text).toMatch(/"name":"edge".*"msg":"ready"/))
})
