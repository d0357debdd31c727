import { writeSync } from 'node:fs'
import { runProgram } from '../program.ts'
import { takeServiceManager } from '../service-manager.ts'

/** A program whose behaviour `FIXTURE` selects, for the tests of `runProgram`. */
const behaviour = process.env.FIXTURE

if (behaviour === 'slow to load') {
  const parentGone = new Promise((resolve) => process.once('disconnect', resolve))
  process.send?.('loading')
  await parentGone
}

/** Drains until it must hurry. */
async function drained(hurry: AbortSignal): Promise<void> {
  process.stdout.write('draining\n')
  if (hurry.aborted) return
  const alive = setInterval(() => {}, 1000)
  await new Promise((resolve) => hurry.addEventListener('abort', resolve))
  clearInterval(alive)
}

const serviceManager = behaviour === 'notifies' ? takeServiceManager(process.env) : undefined
if (serviceManager) {
  process.stdout.write(`environment: ${process.env.NOTIFY_SOCKET ?? 'none'}\n`)
  process.once('SIGUSR2', () => {
    writeSync(1, 'blocked\n')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })
}

await runProgram({
  name: 'fixture',
  usage: 'plantroom fixture: does nothing.',
  version: '1.2.3',
  serviceManager,
  async start() {
    if (behaviour === 'fails to start') throw new Error('port 1 is taken:\n  stop what uses it')
    if (behaviour === 'throws a text') throw 'no such file'
    const work = setInterval(() => {}, 1000)
    process.stdout.write('started\n')
    return {
      ready: { port: 1883 },
      async stop({ drain } = { drain: AbortSignal.abort() }) {
        clearInterval(work)
        if (behaviour === 'drains') await drained(drain)
        if (behaviour === 'fails to stop') throw new Error('the journal cannot be closed')
        process.stdout.write('stopped\n')
      },
    }
  },
})
