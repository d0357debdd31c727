import type { Hold as ShownHold } from '@plantroom/contract/control-state'
import type { ReportedValue } from '@plantroom/contract/reports'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { HeldDatapoint } from '../writing/arbiter.ts'
import { type Claim, highestClaim, setpointOf } from '../writing/hold.ts'
import type { Outlook } from './outlook.ts'

/**
 * Describes a hold for people: which writer holds the datapoint at which value, until when, and what comes next. Pure.
 * `plain` is the plain value; `null` where it is unknown.
 */
export function describeHold(
  { datapointId, hold, ...held }: HeldDatapoint,
  { plain, outlook }: { plain: ReportedValue; outlook: Outlook | undefined },
): ShownHold {
  const { holder, claims } = hold
  const trouble = { trouble: held.trouble?.trouble ?? null, troubleReason: held.trouble?.reason ?? null }
  const atPlain = { by: 'plain', value: plain } as const
  const by = (claim: Claim | undefined) => (claim ? { by: claim.by, value: setpointOf(claim, plain) } : atPlain)
  const noOverride = { overrideId: null, until: null }
  if (!holder) return { datapointId, ...atPlain, ...noOverride, next: atPlain, beneath: atPlain, ...trouble }

  const { 'demand-response': _, ...local } = claims
  const beneath = by(highestClaim(local))
  if (holder.claim.by !== 'demand-response') {
    const { [holder.claim.by]: _, ...others } = local
    return { datapointId, ...by(holder.claim), ...noOverride, next: by(highestClaim(others)), beneath, ...trouble }
  }
  const next = outlook?.next ? ({ by: 'demand-response', value: outlook.next.value } as const) : beneath
  const active = outlook ? { overrideId: outlook.active.id, until: formatTimestamp(outlook.until) } : noOverride
  return { datapointId, ...by(holder.claim), ...active, next, beneath, ...trouble }
}
