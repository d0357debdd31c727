import { useSyncExternalStore } from 'react'

/** Reads the token after the `#` of the address, where it reaches neither logs nor proxies. */
export function useTokenOfAddress(): string {
  const hash = useSyncExternalStore(
    (changed) => {
      window.addEventListener('hashchange', changed)
      return () => window.removeEventListener('hashchange', changed)
    },
    () => window.location.hash,
  )
  return hash.slice(1)
}
