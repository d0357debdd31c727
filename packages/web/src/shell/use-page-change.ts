import { useEffect, useRef } from 'react'

/** Calls when another page is shown, not at the first one. One that was followed a link to begins at its top, as pages do. */
export function usePageChange(path: string, onChange: () => void): void {
  const before = useRef(path)
  const wentBack = useRef(false)
  const current = useRef(onChange)
  current.current = onChange

  useEffect(() => {
    const note = () => {
      wentBack.current = true
    }
    window.addEventListener('popstate', note)
    return () => window.removeEventListener('popstate', note)
  }, [])

  useEffect(() => {
    if (before.current === path) return
    before.current = path
    // Whoever goes back finds the place where they were: the browser knows it.
    if (!wentBack.current) window.scrollTo(0, 0)
    wentBack.current = false
    current.current()
  }, [path])
}
