import { useEffect, useRef, useState } from 'react'
import { followEvents, type Listeners, type StreamState } from './event-stream.ts'

export type { StreamState } from './event-stream.ts'

/** Follows a stream of server-sent events for as long as the part is shown; see `followEvents`. `undefined`: none. */
export function useEventStream(path: string | undefined, listeners: Listeners): StreamState {
  const [state, setState] = useState<StreamState>('opening')
  const current = useRef(listeners)
  current.current = listeners
  useEffect(() => (path === undefined ? undefined : followEvents(path, () => current.current, setState)), [path])
  return state
}
