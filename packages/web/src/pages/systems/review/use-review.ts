import { ApiError } from '@plantroom/client/http'
import type { CommissioningChange, CommissioningCheck, CommissioningFile } from '@plantroom/contract/commissioning'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/service.ts'
import { useSite } from '../../../api/use-site.ts'

/** What a person decides by, and the file that it is about. */
export interface Reviewed {
  file: CommissioningFile
  check: CommissioningCheck
}

/**
 * Checks a file on a controller, then loads exactly what was checked. When someone else changes the system in between,
 * nothing is loaded: the file is checked again, and `conflict` says who it was.
 */
export function useReview(deviceId: string, onLoaded: (reviewed: Reviewed, warnings: number) => void) {
  const { orgId } = useSite()
  const client = useQueryClient()
  const [conflict, setConflict] = useState<CommissioningChange | null>(null)
  const check = useMutation({
    mutationFn: async (file: CommissioningFile): Promise<Reviewed> => {
      return { file, check: await api.checkCommissioning({ orgId, deviceId, body: { ...file } }) }
    },
  })
  const load = useMutation({
    mutationFn: ({ file, check: { base } }: Reviewed) =>
      api.commission({ orgId, deviceId, query: { base }, body: file }),
    async onSuccess({ warnings = [] }, reviewed) {
      await client.invalidateQueries({ queryKey: ['technical-systems', orgId, deviceId] })
      await client.invalidateQueries({ queryKey: ['commissioning-versions', orgId, deviceId] })
      onLoaded(reviewed, warnings.length)
    },
    async onError(error, { file }) {
      if (!(error instanceof ApiError && error.status === 409)) return
      const { check: now } = await check.mutateAsync(file)
      setConflict(now.lastChange ?? { at: null, by: null })
      load.reset()
    },
  })
  return {
    check,
    load,
    conflict,
    start(file: CommissioningFile) {
      setConflict(null)
      load.reset()
      check.mutate(file)
    },
  }
}
