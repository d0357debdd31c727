import type { Hold } from '@plantroom/contract/control-state'
import type { ReportedValue } from '@plantroom/contract/reports'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { Holding } from '../writing/arbiter.ts'
import { type Claim, winner } from '../writing/claims.ts'
import { wanted } from '../writing/controls.ts'
import type { Outlook } from './outlook.ts'

/**
 * A datapoint that is held, in words for a person: who holds it at what, until when, and what comes then. Pure.
 * `plain` is the plain value as far as it is known.
 */
export function holdOf(
  { datapointId, control, ...holding }: Holding,
  { plain, outlook }: { plain: ReportedValue; outlook: Outlook | undefined },
): Hold {
  const { holder, claims } = control
  const trouble = { trouble: holding.trouble?.trouble ?? null, troubleReason: holding.trouble?.reason ?? null }
  const nobody = { by: 'plain', value: plain } as const
  const by = (claim: Claim | undefined) => (claim ? { by: claim.by, value: wanted(claim, plain) } : nobody)
  const none = { overrideId: null, until: null }
  if (!holder) return { datapointId, ...nobody, ...none, next: nobody, beneath: nobody, ...trouble }

  const { 'demand-response': _, ...local } = claims
  const beneath = by(winner(local))
  if (holder.claim.by !== 'demand-response') {
    const { [holder.claim.by]: _, ...others } = local
    return { datapointId, ...by(holder.claim), ...none, next: by(winner(others)), beneath, ...trouble }
  }
  const next = outlook?.next ? ({ by: 'demand-response', value: outlook.next.value } as const) : beneath
  const ruling = outlook ? { overrideId: outlook.ruling.id, until: formatTimestamp(outlook.until) } : none
  return { datapointId, ...by(holder.claim), ...ruling, next, beneath, ...trouble }
}
