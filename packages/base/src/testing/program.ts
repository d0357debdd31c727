import { runProgram } from '../program.ts'

/** A program whose behaviour `FIXTURE` selects, for the tests of `runProgram`. */
const behaviour = process.env.FIXTURE

if (behaviour === 'slow to load') {
  const parentGone = new Promise((resolve) => process.once('disconnect', resolve))
  process.send?.('loading')
  await parentGone
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
      async stop() {
        clearInterval(work)
        if (behaviour === 'fails to stop') throw new Error('the journal cannot be closed')
        process.stdout.write('stopped\n')
      },
    }
  },
})
