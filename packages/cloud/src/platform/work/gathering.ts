import type { Clock } from '@plantroom/base/clock'

/** Gathers what several runs need at about the same time: one statement does it for all of them, or if it fails, one for each. */
export interface Gathering<Item, Result> {
  /** Announces an item. Those that are there wait for it, but not for long. */
  expect(): ExpectedItem<Item, Result>
}

export interface ExpectedItem<Item, Result> extends Disposable {
  /** Resolves with what the statement returned for this item. */
  add(item: Item): Promise<Result>
  /** There is no item after all. Does nothing after `add`. */
  dismiss(): void
}

/** `run` returns one result for each item, in their order. An item waits for announced ones for `longestMs` at most. */
export function createGathering<Item, Result>(deps: {
  run(items: readonly Item[]): Promise<readonly Result[]>
  longestMs: number
  clock: Pick<Clock, 'after'>
}): Gathering<Item, Result> {
  const { run, longestMs, clock } = deps
  let waiting: { item: Item; done: PromiseWithResolvers<Result> }[] = []
  let expected = 0
  let cancelTimer = () => {}

  function runWaiting(): void {
    cancelTimer()
    const group = waiting
    waiting = []
    if (group.length === 0) return
    runGroup(group).catch((error: unknown) => {
      if (group.length === 1) return group[0]?.done.reject(error)
      // It may be about one item alone: nobody else's fails with it.
      for (const one of group) runGroup([one]).catch(one.done.reject)
    })
  }

  async function runGroup(group: typeof waiting): Promise<void> {
    const results = await run(group.map(({ item }) => item))
    for (const [place, { done }] of group.entries()) done.resolve(results[place] as Result)
  }

  function close(): void {
    expected -= 1
    // Runs that begin in the same turn announce their items one after another.
    if (expected === 0)
      queueMicrotask(() => {
        if (expected === 0) runWaiting()
      })
  }

  return {
    expect() {
      expected += 1
      let isOpen = true
      function dismiss() {
        if (isOpen) close()
        isOpen = false
      }
      return {
        add(item) {
          const done = Promise.withResolvers<Result>()
          waiting.push({ item, done })
          if (waiting.length === 1) cancelTimer = clock.after(longestMs, runWaiting)
          dismiss()
          return done.promise
        },
        dismiss,
        [Symbol.dispose]: dismiss,
      }
    },
  }
}
