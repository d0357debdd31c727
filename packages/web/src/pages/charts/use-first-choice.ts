import { useEffect, useEffectEvent, useState } from 'react'
import type { DeviceSystems } from '../../api/use-devices.ts'
import { useSite } from '../../api/use-site.ts'
import { useLiveDevices } from '../../live/live-devices.ts'
import { sourceKey } from '../../parts/chart/sources.ts'
import { firstChoice, viewedLast } from './first-choice.ts'

/** A controller that has not answered by then is not waited for. */
const PATIENCE_MS = 3000

/** Chooses datapoints for a chart that has none, once it is known what is held. `isWanted` is false where a person chose. */
export function useFirstChoice(
  devices: readonly DeviceSystems[],
  isWanted: boolean,
  onChoose: (keys: readonly string[]) => void,
): void {
  const { orgId, siteId } = useSite()
  const ids = isWanted ? devices.map(({ id }) => id) : []
  const { views } = useLiveDevices(orgId, ids)
  const [isLate, setLate] = useState(false)
  const isKnown = ids.every((id) => views.get(id)?.device || views.get(id)?.isOffline)
  const choose = useEffectEvent(() => {
    const held = ids.flatMap((deviceId) =>
      (views.get(deviceId)?.device?.holds ?? []).map(({ datapointId }) => sourceKey({ deviceId, datapointId })),
    )
    onChoose(firstChoice(devices, { held, viewed: viewedLast(siteId) }))
  })
  useEffect(() => {
    if (!isWanted) return
    const timer = setTimeout(() => setLate(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [isWanted])
  useEffect(() => {
    if (isWanted && (isKnown || isLate)) choose()
  }, [isWanted, isKnown, isLate])
}
