import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../../../api/service.ts'
import { remember, useOperation } from '../../../../api/use-operation.ts'
import { useSite } from '../../../../api/use-site.ts'
import type { ScanRequest } from './read-target.ts'

/** The service waits for the end of a scan itself. */
const PAUSE_MS = 300

/** Runs one scan of a controller at a time, and follows it. A scan ends when the person leaves the page. */
export function useScan(deviceId: string) {
  const { orgId } = useSite()
  const [scanId, setScanId] = useState('')
  const place = { orgId, deviceId }
  const start = useMutation({
    mutationFn: (body: ScanRequest) => api.startScan({ ...place, body }),
    onSuccess(scan) {
      remember('getScan', { ...place, scanId: scan.id }, scan)
      setScanId(scan.id)
    },
  })
  const query = useOperation(
    'getScan',
    { deviceId, scanId },
    {
      enabled: scanId !== '',
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchInterval: ({ state: { data, error } }) => (data?.state === 'running' && !error ? PAUSE_MS : false),
    },
  )
  const cancel = useMutation({
    mutationFn: () => api.cancelScan({ ...place, scanId }),
    onSuccess: (scan) => remember('getScan', { ...place, scanId }, scan),
  })
  const isRunning = query.data?.state === 'running' && !query.error
  const running = useRef('')
  running.current = isRunning ? scanId : ''
  useEffect(
    () => () => {
      // Nobody looks at it any more, and another scan could not start for a minute.
      if (running.current !== '') void api.cancelScan({ orgId, deviceId, scanId: running.current }).catch(() => {})
    },
    [orgId, deviceId],
  )
  return {
    start: start.mutate,
    isStarting: start.isPending,
    cancel,
    isRunning,
    scan: start.isPending || start.error ? undefined : query.data,
    error: start.error ?? query.error ?? cancel.error,
  }
}
