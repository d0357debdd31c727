import { useEffect, useEffectEvent, useState } from 'react'

const RETRY_MS = [1000, 2000, 5000, 10_000]
/** The service sends something at least every 3 s. */
export const SILENT_AFTER_MS = 5000
/** A connection that nobody has closed may be dead: the network of a laptop has changed, or the service hangs. */
const REOPEN_AFTER_MS = 10_000

/** `open`: an event has arrived lately. `lost`: the stream is silent or reconnecting. */
export type StreamState = 'opening' | 'open' | 'lost' | 'ended'

/** Handles the data of an event. Returning `end` closes the stream for good. */
type Listener = (data: unknown) => unknown

/** What a stream needs of the browser. */
export interface StreamSource {
  addEventListener(name: string, listener: (event: MessageEvent<string>) => void): void
  close(): void
}

/** What the service sends when there is nothing else. */
const ALIVE = 'alive'

/**
 * Follows a stream of server-sent events until the returned function is called. The stream reconnects when it breaks or
 * falls silent, unless `onEvent` returned `end`: browsers give up after an HTTP error, and wait for ever in silence. It is
 * closed while the page is hidden, because a browser has few connections per host for all of its tabs.
 */
export function followEvents(
  path: string,
  names: readonly string[],
  onEvent: (name: string, data: unknown) => unknown,
  onState: (state: StreamState) => void,
): () => void {
  const stream = keepStream(() => new EventSource(path), names, onEvent, onState)
  function openIfVisible() {
    if (document.hidden) stream.close()
    else stream.open()
  }
  openIfVisible()
  document.addEventListener('visibilitychange', openIfVisible)
  return () => {
    document.removeEventListener('visibilitychange', openIfVisible)
    stream.close()
  }
}

/** A stream that reopens itself. `open` starts it afresh; after an `end` it does nothing. */
export function keepStream(
  connect: () => StreamSource,
  names: readonly string[],
  onEvent: (name: string, data: unknown) => unknown,
  onState: (state: StreamState) => void,
): { open(): void; close(): void } {
  let source: StreamSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let ended = false

  function close() {
    source?.close()
    source = undefined
    clearTimeout(timer)
  }

  function listenForSilence() {
    clearTimeout(timer)
    timer = setTimeout(() => {
      onState('lost')
      timer = setTimeout(reopen, REOPEN_AFTER_MS - SILENT_AFTER_MS)
    }, SILENT_AFTER_MS)
  }

  function reopen() {
    close()
    const opened = connect()
    source = opened
    listenForSilence()
    const heard = (name: string) => (event: MessageEvent<string>) => {
      // An event of a connection that was given up.
      if (source !== opened) return
      failures = 0
      listenForSilence()
      onState('open')
      if (name === ALIVE || onEvent(name, JSON.parse(event.data)) !== 'end') return
      ended = true
      close()
      onState('ended')
    }
    for (const name of [...names, ALIVE]) opened.addEventListener(name, heard(name))
    opened.addEventListener('error', () => {
      if (source !== opened) return
      close()
      onState('lost')
      timer = setTimeout(reopen, RETRY_MS[Math.min(failures, RETRY_MS.length - 1)])
      failures += 1
    })
  }

  return {
    open() {
      if (ended) return
      onState('opening')
      reopen()
    },
    close,
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
