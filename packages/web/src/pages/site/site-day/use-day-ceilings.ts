import { useMemo } from 'react'
import type { HistoryPeriod } from '../../../api/use-history.ts'
import { useLimitIntervals } from '../../../api/use-limit-intervals.ts'
import { ceilingsNow, isLimited } from '../../../parts/chart/ceilings.ts'
import type { ChartSource } from '../../../parts/chart/sources.ts'
import type { DayDevice } from './day-content.ts'

/** The power limits of the period that is loaded, and those in force. */
export function useDayCeilings(
  sources: readonly ChartSource[],
  { devices, period, now }: { devices: readonly DayDevice[]; period: HistoryPeriod; now: number },
) {
  const past = useLimitIntervals(period, { enabled: sources.some(isLimited) })
  // As a text, because the live state is another object every second.
  const inForce = JSON.stringify(
    devices.flatMap(({ device, view }) => {
      if (!view?.device?.powerLimit) return []
      const { importKw, exportKw } = view.device.powerLimit
      return [{ deviceId: device.id, importKw, exportKw }]
    }),
  )
  return useMemo(() => [...past, ...ceilingsNow(JSON.parse(inForce), now)], [past, inForce, now])
}
