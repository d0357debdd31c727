import { Badge } from '@mantine/core'
import type { LimitState } from '@plantroom/contract/power-limit'
import { powerLimits as texts } from '../texts/power-limits.ts'

const COLORS: Readonly<Record<LimitState, string>> = {
  unlimited: 'gray',
  limited: 'blue',
  fallback: 'orange',
  exhausted: 'red',
}

/** Says what a controller does about power limits. */
export function LimitBadge({ state }: { state: LimitState }) {
  return (
    <Badge variant="light" c="inherit" color={COLORS[state]} radius="sm">
      {texts.states[state]}
    </Badge>
  )
}
