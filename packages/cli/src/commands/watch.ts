import { type Clock, sleep } from '@plantroom/base/clock'
import { printable } from '../output.ts'

/** Shows something repeatedly. A failure is printed and does not end the loop: devices come back. */
export async function watch(options: {
  everySeconds: number
  count: number
  clock: Clock
  show(): Promise<void>
}): Promise<void> {
  for (let shown = 1; ; shown += 1) {
    try {
      await options.show()
    } catch (error) {
      if (shown >= options.count) throw error
      console.error(`plantroom: ${printable((error as Error).message)}`)
    }
    if (shown >= options.count) return
    await sleep(options.clock, options.everySeconds * 1000)
  }
}
