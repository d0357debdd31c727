import { lazy, Suspense } from 'react'
import { readsSettled } from '../../../api/fetch-in-time.ts'
import type { DeviceOverview } from '../overview.ts'

const LimitSection = lazy(async () => {
  await readsSettled()
  return { default: (await import('./limit-section.tsx')).LimitSection }
})

/** The power limit of a site that has one. No part of the first load: what is held comes first. */
export function SiteLimit({ devices, now }: { devices: readonly DeviceOverview[]; now: number }) {
  if (!devices.some(({ systems }) => systems?.some(({ powerLimit }) => powerLimit))) return null
  return (
    <Suspense fallback={null}>
      <LimitSection devices={devices} now={now} />
    </Suspense>
  )
}
