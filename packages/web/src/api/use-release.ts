import { createCommands } from '@plantroom/client/commands'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { api } from './service.ts'
import { useSite } from './use-site.ts'

/** Returns a function that cancels one override of a controller, with a reason for the audit log if there is one. */
export function useCancel(): (deviceId: string, overrideId: string, reason: string) => Promise<void> {
  const { orgId } = useSite()
  const client = useQueryClient()
  return useCallback(
    async (deviceId, overrideId, reason) => {
      await createCommands(api, { orgId, deviceId }).cancel(overrideId, undefined, reason.trim() || undefined)
      void client.invalidateQueries({ queryKey: ['reports', orgId] })
    },
    [orgId, client],
  )
}
