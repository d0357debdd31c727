import type { CloseOutcome } from '@plantroom/contract/commands'
import { useCallback } from 'react'
import { api } from './service.ts'
import { invalidate } from './use-operation.ts'
import { useSite } from './use-site.ts'

/**
 * Returns a function that releases one override of a controller, with a reason for the audit log if there is one. It
 * resolves to true when the release waits for the controller.
 */
export function useRelease(): (deviceId: string, overrideId: string, reason: string) => Promise<boolean> {
  const { orgId } = useSite()
  return useCallback(
    async (deviceId, overrideId, reason) => {
      const why = reason.trim()
      const body = why === '' ? {} : { reason: why }
      const { pending } = await api.releaseOverride({ orgId, deviceId, overrideId, body })
      void invalidate('listReports', { orgId })
      return pending
    },
    [orgId],
  )
}

/** Returns a function that closes the hold of a datapoint which its controller cannot restore. */
export function useCloseHold(
  deviceId: string,
  datapointId: string,
): (outcome: CloseOutcome, reason: string) => Promise<void> {
  const { orgId } = useSite()
  return async (outcome, reason) => {
    await api.closeHold({ orgId, deviceId, datapointId, body: { outcome, reason } })
    void invalidate('listReports', { orgId })
  }
}
