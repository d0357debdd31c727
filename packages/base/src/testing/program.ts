import { runProgram } from '../program.ts'

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

await runProgram({
  name: 'fixture',
  usage: 'plantroom fixture: does nothing.',
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
