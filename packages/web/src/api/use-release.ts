import type { CloseOutcome } from '@plantroom/contract/commands'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { api } from './service.ts'
import { useSite } from './use-site.ts'

/**
 * Returns a function that releases one override of a controller, with a reason for the audit log if there is one. It
 * resolves to true when the release waits for the controller.
 */
export function useRelease(): (deviceId: string, overrideId: string, reason: string) => Promise<boolean> {
  const { orgId } = useSite()
  const client = useQueryClient()
  return useCallback(
    async (deviceId, overrideId, reason) => {
      const why = reason.trim()
      const body = why === '' ? {} : { reason: why }
      const { pending } = await api.releaseOverride({ orgId, deviceId, overrideId, body })
      void client.invalidateQueries({ queryKey: ['reports', orgId] })
      return pending
    },
    [orgId, client],
  )
}

/** Returns a function that closes the hold of a datapoint which its controller cannot restore. */
export function useCloseHold(
  deviceId: string,
  datapointId: string,
): (outcome: CloseOutcome, reason: string) => Promise<void> {
  const { orgId } = useSite()
  const client = useQueryClient()
  return async (outcome, reason) => {
    await api.closeHold({ orgId, deviceId, datapointId, body: { outcome, reason } })
    void client.invalidateQueries({ queryKey: ['reports', orgId] })
  }
}
