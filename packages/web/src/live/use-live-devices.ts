import type { LiveDevice } from '@plantroom/contract/control-state'
import { useEffect, useState } from 'react'
import { followEvents, type StreamState } from './event-stream.ts'
import { takeTurns } from './turns.ts'
import type { LiveView } from './use-live-device.ts'

// A browser has six connections to a host without HTTP/2, and the page needs some for all else.
const BOUNDS = { atOnce: 3, pauseMs: 1000, patienceMs: 15_000 }

const UNHEARD: LiveView = { device: undefined, offline: undefined, stream: 'opening' }

/** What several devices are at, by their ids. Where there are many they are heard in turns, every few seconds each. */
export function useLiveDevices(orgId: string, deviceIds: readonly string[]): ReadonlyMap<string, LiveView> {
  const [views, setViews] = useState<ReadonlyMap<string, LiveView>>(new Map())
  const followed = deviceIds.join(' ')

  useEffect(() => {
    const ids = followed === '' ? [] : followed.split(' ')
    const change = (id: string, changes: Partial<LiveView>) =>
      setViews((before) => new Map(before).set(id, { ...(before.get(id) ?? UNHEARD), ...changes }))
    return takeTurns(
      ids,
      (id, done) => {
        const listeners = {
          state: (data: unknown) => {
            change(id, { device: data as LiveDevice, offline: undefined })
            done()
          },
          offline: (data: unknown) => {
            change(id, { offline: (data as { message: string }).message })
            done()
          },
        }
        // One that is opened in its turn is not lost in between.
        const onState = (stream: StreamState) => stream !== 'opening' && change(id, { stream })
        return followEvents(`/api/orgs/${orgId}/devices/${id}/live`, () => listeners, onState)
      },
      BOUNDS,
    )
  }, [orgId, followed])

  return views
}
