import type { DatapointValue } from '@plantroom/contract/values'
import { useEffect, useState } from 'react'
import { appendPoint, NO_POINTS, type Points } from './points.ts'

/** The values of a datapoint that arrive while the part is shown. It stands under a key of its datapoint. */
export function useLivePoints(value: DatapointValue | undefined): Points {
  const [points, setPoints] = useState(NO_POINTS)
  const at = value && Date.parse(value.timestamp)
  const number = value?.value
  useEffect(() => {
    if (at === undefined || Number.isNaN(at) || typeof number !== 'number') return
    setPoints((before) => appendPoint(before, at, number))
  }, [at, number])
  return points
}
