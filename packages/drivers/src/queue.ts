import type { Clock } from '@plantroom/base/clock'

/** Runs `work` when its turn comes. Lower ranks go first; equal ranks keep their order. */
export type Queue = <Result>(work: () => Promise<Result>, rank?: number, key?: string) => Promise<Result>

/** When work may start beside work that is still running. */
export interface Overtaking {
  clock: Clock
  /** Work of a lower rank than this does not wait longer than `afterMs` for one piece of work. */
  below: number
  afterMs: number
}

interface Work {
  rank: number
  /** Work with the same key never runs at the same time. */
  key: string | undefined
  run(): Promise<void>
}

/** Returns a queue that never interrupts work, and runs one piece at a time, except for `overtaking`. */
export function createQueue(overtaking?: Overtaking): Queue {
  const waiting: Work[] = []
  const running = new Set<Work>()
  let lanes = 0
  let cancelOvertaking: (() => void) | undefined

  const isFree = ({ key }: Work) => key === undefined || ![...running].some((work) => work.key === key)

  function take(below: number): Work | undefined {
    const place = waiting.findIndex((work) => work.rank < below && isFree(work))
    return place < 0 ? undefined : waiting.splice(place, 1)[0]
  }

  async function runAll(below = Number.POSITIVE_INFINITY): Promise<void> {
    lanes += 1
    for (let next = take(below); next; next = take(below)) {
      running.add(next)
      watch()
      await next.run()
      running.delete(next)
    }
    lanes -= 1
    if (lanes === 0 && waiting.length > 0) void runAll()
  }

  /** Starts the next urgent work beside the running work if nothing else begins for a while. */
  function watch(): void {
    cancelOvertaking?.()
    cancelOvertaking = undefined
    if (!overtaking || !waiting.some(({ rank }) => rank < overtaking.below)) return
    cancelOvertaking = overtaking.clock.after(overtaking.afterMs, () => {
      void runAll(overtaking.below)
      watch()
    })
  }

  return (work, rank = 0, key) =>
    new Promise((resolve, reject) => {
      const run = async () => {
        try {
          resolve(await work())
        } catch (error) {
          reject(error)
        }
      }
      const place = waiting.findIndex((each) => each.rank > rank)
      waiting.splice(place < 0 ? waiting.length : place, 0, { rank, key, run })
      if (lanes === 0) void runAll()
      else if (!cancelOvertaking) watch()
    })
}
