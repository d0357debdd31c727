import { useEffect, useSyncExternalStore } from 'react'

const SCHEME = 'data-mantine-color-scheme'
const query = () => window.matchMedia('print')

function subscribe(listener: () => void): () => void {
  const print = query()
  print.addEventListener('change', listener)
  return () => print.removeEventListener('change', listener)
}

/** True while the browser lays the page out for paper. */
export function useIsPrinting(): boolean {
  return useSyncExternalStore(subscribe, () => query().matches)
}

/** Prints black on white, whatever the colors of the screen. */
export function useLightOnPaper(): void {
  useEffect(() => {
    const root = document.documentElement
    let before: string | null = null
    const change = () => {
      if (query().matches) {
        before = root.getAttribute(SCHEME)
        root.setAttribute(SCHEME, 'light')
      } else if (before !== null) {
        root.setAttribute(SCHEME, before)
        before = null
      }
    }
    return subscribe(change)
  }, [])
}
