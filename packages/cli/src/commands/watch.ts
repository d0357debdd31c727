import { type Clock, sleep } from '@plantroom/base/clock'

/** Shows something again and again. A failure is told and does not end it: devices come back. */
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
      console.error(`plantroom: ${(error as Error).message}`)
    }
    if (shown >= options.count) return
    await sleep(options.clock, options.everySeconds * 1000)
  }
}
