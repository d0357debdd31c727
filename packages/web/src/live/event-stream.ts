import { useEffect, useEffectEvent, useState } from 'react'

const RETRY_MS = [1000, 2000, 5000, 10_000]

/** `open`: an event has arrived. `lost`: the stream is reconnecting. */
export type StreamState = 'opening' | 'open' | 'lost' | 'ended'

/** Handles the data of an event. Returning `end` closes the stream for good. */
type Listener = (data: unknown) => unknown

/**
 * Follows a stream of server-sent events until the returned function is called. The stream reconnects when it breaks,
 * unless `onEvent` returned `end`: browsers give up after an HTTP error. It is closed while the page is hidden,
 * because a browser has few connections per host for all of its tabs.
 */
export function followEvents(
  path: string,
  names: readonly string[],
  onEvent: (name: string, data: unknown) => unknown,
  onState: (state: StreamState) => void,
): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let ended = false

  function open() {
    const opened = new EventSource(path)
    source = opened
    for (const name of names) {
      opened.addEventListener(name, (event: MessageEvent<string>) => {
        failures = 0
        onState('open')
        if (onEvent(name, JSON.parse(event.data)) !== 'end') return
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

  function openIfVisible() {
    close()
    if (!document.hidden && !ended) open()
  }

  onState('opening')
  openIfVisible()
  document.addEventListener('visibilitychange', openIfVisible)
  return () => {
    document.removeEventListener('visibilitychange', openIfVisible)
    close()
  }
}

/** Follows a stream while the component is mounted, see `followEvents`. Follows nothing without a path. */
export function useEventStream(path: string | undefined, listeners: Readonly<Record<string, Listener>>): StreamState {
  const [state, setState] = useState<StreamState>('opening')
  const names = Object.keys(listeners).join(' ')
  const onEvent = useEffectEvent((name: string, data: unknown) => listeners[name]?.(data))
  useEffect(
    () => (path === undefined ? undefined : followEvents(path, names.split(' '), onEvent, setState)),
    [path, names],
  )
  return state
}
