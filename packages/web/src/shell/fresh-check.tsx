import { lazy, Suspense, useSyncExternalStore } from 'react'
import { freshCheck } from '../api/service.ts'

const FreshCheckDialog = lazy(async () => ({ default: (await import('./fresh-check-dialog.tsx')).FreshCheckDialog }))

/** Shows its dialog when an action needs a recent proof. Few people need it, so it is loaded then. */
export function FreshCheck() {
  const isAsking = useSyncExternalStore(freshCheck.subscribe, freshCheck.isAsking)
  return <Suspense>{isAsking && <FreshCheckDialog />}</Suspense>
}
