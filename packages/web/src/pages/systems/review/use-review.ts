import { ApiError } from '@plantroom/client/http'
import {
  type CommissioningChange,
  type CommissioningCheck,
  type CommissioningFile,
  changesOf,
} from '@plantroom/contract/commissioning'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/service.ts'
import { invalidate } from '../../../api/use-operation.ts'
import { useSite } from '../../../api/use-site.ts'

/** What a person decides by, and the file that it is about. */
export interface Reviewed {
  file: CommissioningFile
  check: CommissioningCheck
  /** Who has changed the system since the person looked at it; `null` when nobody has. */
  conflict: CommissioningChange | null
}

/** What a person has seen, and how to carry their edits over to what is commissioned now. */
interface Seen {
  base: string
  rebase?: ((now: CommissioningFile) => CommissioningFile) | undefined
}

/**
 * Checks a file on a controller, then loads exactly what was checked. When someone else changes the system in between,
 * nothing is loaded: the file is checked again, and `conflict` says who it was.
 */
export function useReview(deviceId: string, onLoaded: (reviewed: Reviewed, warnings: number) => void) {
  const { orgId } = useSite()
  const check = useMutation({
    mutationFn: async ({ file, seen }: { file: CommissioningFile; seen?: Seen | undefined }): Promise<Reviewed> => {
      const checked = await api.checkCommissioning({ orgId, deviceId, body: { ...file } })
      if (!seen || checked.base === seen.base) return { file, check: checked, conflict: null }
      const conflict = checked.lastChange ?? { at: null, by: null }
      if (!seen.rebase || !checked.before) return { file, check: checked, conflict }
      const rebased = seen.rebase(checked.before)
      return { file: rebased, check: await api.checkCommissioning({ orgId, deviceId, body: { ...rebased } }), conflict }
    },
  })
  const load = useMutation({
    mutationFn: ({ file, check: { base } }: Reviewed) =>
      api.commission({ orgId, deviceId, query: { base }, body: file }),
    async onSuccess({ warnings = [] }, reviewed) {
      await invalidate('commission', { orgId, deviceId })
      onLoaded(reviewed, warnings.length)
    },
    async onError(error, { file, check: { base } }) {
      if (!(error instanceof ApiError && error.status === 409)) return
      await check.mutateAsync({ file, seen: { base, rebase: check.variables?.seen?.rebase } }).catch(() => {})
      load.reset()
    },
  })
  const [changed, setChanged] = useState<Reviewed>()
  return {
    check: { ...check, data: check.data && changed?.check === check.data.check ? changed : check.data },
    load,
    /** Changes what the check is not about. */
    change: setChanged,
    start(file: CommissioningFile, seen?: Seen) {
      load.reset()
      check.mutate({ file, seen })
    },
  }
}

/** Undoes a load, unless someone has changed the system since. Resolves with whether it did. */
export function useUndo(deviceId: string) {
  const { orgId } = useSite()
  return async ({ file, check }: Reviewed): Promise<boolean> => {
    const { technicalSystem, sameEquipment } = file
    const before = {
      ...(check.before ?? { technicalSystem, connections: [] }),
      ...(sameEquipment !== undefined && { sameEquipment }),
    }
    const now = await api.checkCommissioning({ orgId, deviceId, body: { ...before } })
    const isOurs = now.before ? changesOf(now.before, file).system === 'same' : file.connections.length === 0
    if (!isOurs) return false
    await api.commission({ orgId, deviceId, query: { base: now.base }, body: before })
    await invalidate('commission', { orgId, deviceId })
    return true
  }
}
