import { createCommands } from '@plantroom/client/commands'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/service.ts'
import { invalidate } from '../../../api/use-operation.ts'
import { useSite } from '../../../api/use-site.ts'
import type { Plan } from '../../../parts/plan/plan.ts'
import { isUncertain } from '../../../parts/release/is-uncertain.ts'

/**
 * Places one override, no matter how often it is sent: it keeps its id while the form is open. Until the controller's
 * answer is known, only the same override can be sent again; `startOver` begins a new one.
 */
export function useOverride(deviceId: string, datapointId: string, onPlaced: (plan: Plan) => void) {
  const { orgId } = useSite()
  const [reqId, setReqId] = useState(() => crypto.randomUUID())
  const [sent, setSent] = useState<Plan>()
  const mutation = useMutation({
    mutationFn: ({ value, from, to, reason }: Plan) => {
      const { override } = createCommands(api, { orgId, deviceId })
      return override({ datapointId, value, from: iso(from), to: iso(to), reqId, ...(reason && { reason }) })
    },
    onSuccess(_answer, plan) {
      void invalidate('listReports', { orgId })
      onPlaced(plan)
    },
  })
  const isUnsure = isUncertain(mutation.error)

  return {
    reqId,
    error: mutation.error,
    isPending: mutation.isPending,
    /** The override that was sent and may have been accepted: this id must not be used for another one. */
    sent: mutation.isPending || isUnsure ? sent : undefined,
    isUnsure,
    send(plan: Plan) {
      setSent(plan)
      mutation.mutate(plan)
    },
    startOver() {
      setReqId(crypto.randomUUID())
      mutation.reset()
    },
  }
}

const iso = (ms: number) => new Date(ms).toISOString()
