import type { DatapointValue } from '@plantroom/contract/values'
import { useEffect, useState } from 'react'
import { appendPoint, NO_POINTS, type Points } from './points.ts'

/** Collects values that arrive while the component is mounted. Mount it under a key of the datapoint. */
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
