import { type FormEvent, useState } from 'react'
import type { When } from '../../../parts/describe-hold.ts'
import { numberOf, type Plan, type PlanForm, planOf } from '../../../parts/plan/plan.ts'
import type { DatapointRow } from '../rows.ts'
import { describeRefusal } from './describe-limits.ts'
import { describeConsequence, isOutside } from './describe-override.ts'
import { useOverride } from './use-override.ts'

const EMPTY: PlanForm = { value: '', start: 'now', startAt: '', length: '60', endAt: '', reason: '' }

/** The state of the override form of a datapoint, from the first input until the controller has answered. */
export function useOverrideForm({
  deviceId,
  row,
  when,
  isBlocked,
  onPlaced,
}: {
  deviceId: string
  row: DatapointRow
  when: When
  /** True while the controller would reject every override. */
  isBlocked: boolean
  onPlaced: (plan: Plan, consequence: string | undefined) => void
}) {
  const [form, setForm] = useState(EMPTY)
  const [agreed, setAgreed] = useState(false)
  const [tried, setTried] = useState(false)
  const { id, writeInputData: envelope } = row.datapoint
  const override = useOverride(deviceId, id, (placed) => onPlaced(placed, consequence))
  const { sent, isUnsure, isPending } = override
  const { plan: typed, problem } = planOf(form, when)
  const plan = sent ?? typed
  const consequence = plan && describeConsequence(row, plan, when)
  const value = numberOf(form.value)
  const outside = value !== undefined && isOutside(value, envelope)
  const refusal = value === undefined ? undefined : describeRefusal(row, value, plan?.from ?? when.now, when)

  return {
    form,
    /** The override to send or already sent; `undefined` until the form is complete. */
    plan,
    consequence,
    problem: problem && (tried || !problem.missing) ? problem : undefined,
    /** The envelope that the value is outside of. */
    exceeded: outside ? envelope : undefined,
    /** Why the controller would refuse the value, because of the limits of the datapoint. */
    refusal: sent ? undefined : refusal,
    agreed,
    setAgreed,
    tried,
    error: override.error,
    isPending,
    isSent: sent !== undefined,
    isUnsure,
    /** True if the reply was lost but the override is in the list. */
    hasArrived: isUnsure && row.overrides.some(({ reqId }) => reqId === override.reqId),
    isLater: plan ? !plan.startsNow : form.start === 'at',
    startOver: override.startOver,
    change(changes: Partial<PlanForm>) {
      setForm((before) => ({ ...before, ...changes }))
      if ('value' in changes) setAgreed(false)
    },
    submit(event: FormEvent) {
      event.preventDefault()
      if (isPending || isBlocked) return
      setTried(true)
      if (sent) override.send(sent)
      else if (typed && !refusal && (!outside || agreed)) override.send(typed)
    },
  }
}
