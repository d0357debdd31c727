/** Runs `work` when its turn comes. Lower ranks go first; equal ranks keep their order. */
export type Queue = <Result>(work: () => Promise<Result>, rank?: number) => Promise<Result>

/** Returns a queue that runs one piece of work at a time and never interrupts it. */
export function createQueue(): Queue {
  const waiting: { rank: number; run(): Promise<void> }[] = []
  let busy = false

  async function runAll(): Promise<void> {
    busy = true
    for (let next = waiting.shift(); next; next = waiting.shift()) await next.run()
    busy = false
  }

  return (work, rank = 0) =>
    new Promise((resolve, reject) => {
      const run = async () => {
        try {
          resolve(await work())
        } catch (error) {
          reject(error)
        }
      }
      const place = waiting.findIndex((each) => each.rank > rank)
      waiting.splice(place < 0 ? waiting.length : place, 0, { rank, run })
      if (!busy) void runAll()
    })
}
