import { lazy, Suspense } from 'react'
import { readsSettled } from '../../../api/fetch-in-time.ts'
import type { DayDevice } from './day-content.ts'

const DaySection = lazy(async () => {
  await readsSettled()
  return { default: (await import('./day-section.tsx')).DaySection }
})

/** The last 24 hours of a site. Charts are no part of the first load: what is held comes first. */
export function SiteDay({ devices }: { devices: readonly DayDevice[] }) {
  return (
    <Suspense fallback={null}>
      <DaySection devices={devices} />
    </Suspense>
  )
}
