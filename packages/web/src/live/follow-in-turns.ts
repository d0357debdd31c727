/** Starts to follow one item and calls `done` later, once something arrived. Returns a function that stops. */
type Follow = (id: string, done: () => void) => () => void

/**
 * Follows many items, a few at once. If all fit, each is followed permanently. Otherwise each yields to the next when
 * it is done or after `patienceMs`, and the next one starts `pauseMs` later. Returns a function that stops everything.
 */
export function followInTurns(
  ids: readonly string[],
  follow: Follow,
  { atOnce, pauseMs, patienceMs }: { atOnce: number; pauseMs: number; patienceMs: number },
): () => void {
  if (ids.length <= atOnce) {
    const stops = ids.map((id) => follow(id, () => undefined))
    return () => stops.forEach((stop) => void stop())
  }
  const waiting = [...ids]
  const running = new Set<() => void>()
  const startNext = () => {
    const id = waiting.shift()
    if (id === undefined) return
    let isOver = false
    const over = () => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      stop()
      waiting.push(id)
      timer = setTimeout(() => {
        running.delete(cancel)
        startNext()
      }, pauseMs)
    }
    let timer = setTimeout(over, patienceMs)
    const stop = follow(id, over)
    const cancel = () => {
      clearTimeout(timer)
      if (!isOver) stop()
      isOver = true
    }
    running.add(cancel)
  }
  for (let count = 0; count < atOnce; count += 1) startNext()
  return () => running.forEach((cancel) => void cancel())
}
