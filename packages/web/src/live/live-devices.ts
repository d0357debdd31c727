import { pathOf } from '@plantroom/client/client'
import type { LiveDevice } from '@plantroom/contract/control-state'
import { useEffect, useState } from 'react'
import { followEvents, type StreamState, useEventStream } from './event-stream.ts'
import { takeTurns } from './turns.ts'

export interface LiveView {
  /** The latest state of the controller; `undefined` before the first one. */
  device: LiveDevice | undefined
  /** When that state arrived, by the clock of this browser. */
  receivedAt: number
  /** True while the controller does not answer. */
  isOffline: boolean
  stream: StreamState
}

type Received = Omit<LiveView, 'stream'>

const NOTHING: Received = { device: undefined, receivedAt: 0, isOffline: false }
const OPENING: LiveView = { ...NOTHING, stream: 'opening' }

/** The events of a controller's live stream. The text of `offline` is a hint for programs. */
const EVENTS = ['state', 'offline'] as const

const livePath = (orgId: string, deviceId: string) => pathOf('followDevice', { orgId, deviceId })

function received(before: Received, name: string, data: unknown): Received {
  if (name === 'offline') return { ...before, isOffline: true }
  return { device: data as LiveDevice, receivedAt: Date.now(), isOffline: false }
}

/** Follows one controller, second by second. Mount it under a key of the controller. */
export function useLiveDevice(orgId: string, deviceId: string): LiveView {
  const [latest, setLatest] = useState(NOTHING)
  const take = (name: string) => (data: unknown) => setLatest((before) => received(before, name, data))
  const stream = useEventStream(livePath(orgId, deviceId), { state: take('state'), offline: take('offline') })
  return { ...latest, stream }
}

// Without HTTP/2 a browser has six connections per host, and the page needs some for everything else.
const BOUNDS = { atOnce: 3, pauseMs: 1000, patienceMs: 15_000 }

/** Follows several controllers, by id. When there are many they take turns, a few seconds each. */
export function useLiveDevices(orgId: string, deviceIds: readonly string[]): ReadonlyMap<string, LiveView> {
  const [views, setViews] = useState<ReadonlyMap<string, LiveView>>(new Map())
  const followed = deviceIds.join(' ')

  useEffect(() => {
    const ids = followed === '' ? [] : followed.split(' ')
    const change = (id: string, changed: (before: LiveView) => LiveView) =>
      setViews((before) => new Map(before).set(id, changed(before.get(id) ?? OPENING)))
    return takeTurns(
      ids,
      (id, done) => {
        const onEvent = (name: string, data: unknown) => {
          change(id, (before) => ({ ...before, ...received(before, name, data) }))
          done()
        }
        // A stream that reopens in its turn was not lost in between.
        const onState = (stream: StreamState) => stream !== 'opening' && change(id, (before) => ({ ...before, stream }))
        return followEvents(livePath(orgId, id), EVENTS, onEvent, onState)
      },
      BOUNDS,
    )
  }, [orgId, followed])

  return views
}
