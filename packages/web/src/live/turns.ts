/** Starts to look at one of many; `done` is called, later, when there was something to see. Returns how to stop. */
export type Look = (id: string, done: () => void) => () => void

/**
 * Looks at many with only so many looks at once. Where all fit, each look stays; else each gives way to the next when it
 * is done, or after `patienceMs` without anything, and `pauseMs` later the next begins. Returns how to stop all.
 */
export function takeTurns(
  ids: readonly string[],
  look: Look,
  { atOnce, pauseMs, patienceMs }: { atOnce: number; pauseMs: number; patienceMs: number },
): () => void {
  if (ids.length <= atOnce) {
    const stops = ids.map((id) => look(id, () => undefined))
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
    const stop = look(id, over)
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
