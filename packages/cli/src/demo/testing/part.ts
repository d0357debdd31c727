import { sleep, systemClock } from '@plantroom/base/clock'
import { runProgram } from '@plantroom/base/program'

/** A part of a demo whose behaviour `FIXTURE` selects, for the tests of `supervise`. */
const { FIXTURE: behaviour, BEFORE: before } = process.env

process.stdout.write(`pid ${process.pid}\n`)
if (behaviour === 'crashes') throw new Error('out of registers')
// Until a program has loaded, a signal ends it.
if (behaviour === 'loads slowly') await sleep(systemClock, 300)
if (behaviour === 'ends without a word') process.exit(3)
if (behaviour === 'hangs the second time' && before) await new Promise((resolve) => setInterval(resolve, 2 ** 30))
if (behaviour === 'ignores SIGTERM') {
  process.on('SIGTERM', () => process.stdout.write('not now\n'))
  process.send?.({ ready: {} })
  await new Promise((resolve) => setInterval(resolve, 2 ** 30))
}

if (behaviour === 'blocks') process.once('SIGUSR2', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))

await runProgram({
  name: 'part',
  usage: '',
  async start() {
    if (behaviour === 'fails') throw new Error('port 1 is taken: stop what uses it')
    const work = setInterval(() => {}, 1000)
    return {
      ready: { pid: process.pid, before: before ?? null },
      async stop() {
        clearInterval(work)
        process.stdout.write('stopped in order\n')
      },
    }
  },
})
