import { useEffect, useState } from 'react'
import { serviceNow } from '../service-clock.ts'

/** Returns the current time of the service and rerenders every so many milliseconds. */
export function useNow(everyMs = 1000): number {
  const [now, setNow] = useState(serviceNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serviceNow()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
