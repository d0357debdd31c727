import { systemClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { runProgram } from '../program.ts'

/** A program that logs as many lines as its parent asks for, for the tests of its output. */
interface Order {
  lines: number
  ending?: 'exit' | 'crash'
}

await runProgram({
  name: 'talker',
  usage: '',
  async start() {
    const log = createLog('talker', 'info')
    let next = 0
    process.on('message', ({ lines, ending }: Order) => {
      for (let line = 0; line < lines; line += 1) {
        log.info({ next, filler: 'x'.repeat(100) }, 'said')
        next += 1
      }
      if (ending) log.fatal('last words')
      if (ending === 'exit') process.exit(0)
      if (ending === 'crash') throw new Error('out of registers')
      // A timer proves that the event loop runs.
      systemClock.after(1, () => process.send?.({ said: next }))
    })
    return { ready: {}, stop: async () => {} }
  },
})
