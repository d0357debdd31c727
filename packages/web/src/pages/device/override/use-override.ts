import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { commandsOf } from '../../../api/service.ts'
import { useSite } from '../../../api/use-site.ts'
import { isUncertain } from './is-uncertain.ts'
import type { Plan } from './plan.ts'

/**
 * Places one override, once, however often it is sent: it has one id for as long as the form is open. While it is not known
 * whether the device took it, only the same may be sent again; `startOver` makes it another one.
 */
export function useOverride(deviceId: string, datapointId: string, onPlaced: (plan: Plan) => void) {
  const { orgId } = useSite()
  const client = useQueryClient()
  const [reqId, setReqId] = useState(() => crypto.randomUUID())
  const [sent, setSent] = useState<Plan>()
  const mutation = useMutation({
    mutationFn: ({ value, from, to }: Plan) =>
      commandsOf(orgId, deviceId).override({ datapointId, value, from: iso(from), to: iso(to), reqId }),
    onSuccess(_answer, plan) {
      void client.invalidateQueries({ queryKey: ['reports', orgId] })
      onPlaced(plan)
    },
  })
  const isUnsure = isUncertain(mutation.error)

  return {
    reqId,
    error: mutation.error,
    isPending: mutation.isPending,
    /** What was sent and is not known to have failed: nothing else may be sent under this id. */
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
