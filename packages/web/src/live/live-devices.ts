import { pathOf } from '@plantroom/client/client'
import type { LiveDevice } from '@plantroom/contract/control-state'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { serviceNow } from '../service-clock.ts'
import { takeEarly } from './early-events.ts'
import { followEvents, SILENT_AFTER_MS } from './event-stream.ts'
import { followInTurns } from './follow-in-turns.ts'
import {
  afterEvent,
  afterState,
  type KnownState,
  LIVE_EVENTS,
  type LiveView,
  NOTHING_HEARD,
  rememberedView,
} from './live-view.ts'

const livePath = (orgId: string, deviceId: string) => pathOf('followDevice', { orgId, deviceId })

/** Follows one controller, second by second. Mount it under a key of the controller. */
export function useLiveDevice(orgId: string, deviceId: string): LiveView {
  const [view, setView] = useState(NOTHING_HEARD)
  useEffect(
    () =>
      followEvents(
        livePath(orgId, deviceId),
        LIVE_EVENTS,
        (name, data) => setView((before) => afterEvent(before, name, data, serviceNow())),
        (state) => setView((before) => afterState(before, state)),
      ),
    [orgId, deviceId],
  )
  return view
}

// Without HTTP/2 a browser has six connections per host, and the page needs some for everything else.
const BOUNDS = { atOnce: 3, pauseMs: 1000, patienceMs: 15_000 }
/** How often to find out whether the service is silent. */
const LISTEN_MS = 500

/** The latest state of a controller is kept with the replies of the service, for the next visit. */
const keyOf = (orgId: string, deviceId: string) => ['live', orgId, deviceId]

/** Several controllers, by id, and whether the service itself is heard. */
export interface LiveViews {
  views: ReadonlyMap<string, LiveView>
  /** When the service was last heard on any stream, while that is too long ago. */
  silentSince: number | undefined
}

/** Follows several controllers. When there are many they take turns, a few seconds each. */
export function useLiveDevices(orgId: string, deviceIds: readonly string[]): LiveViews {
  const [views, setViews] = useState<ReadonlyMap<string, LiveView>>(new Map())
  const [silentSince, setSilentSince] = useState<number>()
  const queries = useQueryClient()
  const followed = deviceIds.join(' ')

  useEffect(() => {
    const ids = followed === '' ? [] : followed.split(' ')
    const change = (id: string, changed: (before: LiveView) => LiveView) =>
      setViews((before) => {
        const view = before.get(id) ?? NOTHING_HEARD
        const next = changed(view)
        return next === view ? before : new Map(before).set(id, next)
      })
    for (const id of ids) {
      const known = queries.getQueryData<KnownState>(keyOf(orgId, id))
      if (known) change(id, (before) => (before.device ? before : rememberedView(known)))
      for (const { name, data, at } of takeEarly(livePath(orgId, id))) {
        change(id, (before) => afterEvent(before, name, data, at))
      }
    }
    let heardAt = serviceNow()
    const listen = () => {
      const isSilent = ids.length > 0 && !document.hidden && serviceNow() - heardAt >= SILENT_AFTER_MS
      setSilentSince(isSilent ? heardAt : undefined)
    }
    const timer = setInterval(listen, LISTEN_MS)
    const stop = followInTurns(
      ids,
      (id, done) =>
        followEvents(
          livePath(orgId, id),
          LIVE_EVENTS,
          (name, data) => {
            change(id, (before) => afterEvent(before, name, data, serviceNow()))
            if (name === 'state') {
              const known = { device: data as LiveDevice, receivedAt: serviceNow() }
              queries.setQueryData<KnownState>(keyOf(orgId, id), known)
            }
            // Its last known state comes before the reason why there is no other.
            if (name !== 'last-known') done()
          },
          (state) => {
            if (state === 'open') heardAt = serviceNow()
            // A stream that reopens in its turn was not lost in between.
            if (state !== 'opening') change(id, (before) => afterState(before, state))
          },
        ),
      BOUNDS,
    )
    return () => {
      clearInterval(timer)
      stop()
    }
  }, [orgId, followed, queries])

  return { views, silentSince }
}
