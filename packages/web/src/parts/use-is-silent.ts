import { useEffect, useState } from 'react'
import { lastHeard } from '../service-clock.ts'

const SILENT_AFTER_MS = 5000
const LISTEN_MS = 500

/** Reports whether the service has not answered anything for some seconds, since the component waits for it. */
export function useIsSilent(): boolean {
  const [isSilent, setIsSilent] = useState(false)
  useEffect(() => {
    const began = performance.now()
    const listen = () => setIsSilent(performance.now() - Math.max(began, lastHeard()) >= SILENT_AFTER_MS)
    const timer = setInterval(listen, LISTEN_MS)
    return () => clearInterval(timer)
  }, [])
  return isSilent
}
