const RETRY_MS = [1000, 2000, 5000, 10_000]

/** `open`: something came on it. `lost`: it is being opened again. */
export type StreamState = 'opening' | 'open' | 'lost' | 'ended'

/** What is done with the data of an event, by its name. Returning `end` closes the stream for good. */
export type Listeners = Readonly<Record<string, (data: unknown) => unknown>>

/**
 * Follows a stream of server-sent events until the returned function is called. It is opened again when it ends, unless a
 * listener returns `end`: the browser would do so by itself only where it was not told an error. While nobody looks at the
 * page it is closed: a browser has few connections to a host, for all of its tabs together.
 */
export function followEvents(path: string, listeners: () => Listeners, onState: (state: StreamState) => void) {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let ended = false

  function open() {
    const opened = new EventSource(path)
    source = opened
    for (const name of Object.keys(listeners())) {
      opened.addEventListener(name, (event: MessageEvent<string>) => {
        failures = 0
        onState('open')
        if (listeners()[name]?.(JSON.parse(event.data)) !== 'end') return
        ended = true
        close()
        onState('ended')
      })
    }
    opened.addEventListener('error', () => {
      close()
      onState('lost')
      timer = setTimeout(open, RETRY_MS[Math.min(failures, RETRY_MS.length - 1)])
      failures += 1
    })
  }

  function close() {
    source?.close()
    source = undefined
    clearTimeout(timer)
  }

  function look() {
    close()
    if (!document.hidden && !ended) open()
  }

  onState('opening')
  look()
  document.addEventListener('visibilitychange', look)
  return () => {
    document.removeEventListener('visibilitychange', look)
    close()
  }
}
