import { Progress } from '@mantine/core'
import type { DispatchCounts } from '@plantroom/contract/fleet'
import { COLORS, sharesOf } from './describe-dispatch.ts'

/** The shares of the outcomes. The text beside it says the same. */
export function OutcomeBar({ counts, size = 'md' }: { counts: DispatchCounts; size?: string }) {
  return (
    <Progress.Root size={size} aria-hidden>
      {sharesOf(counts).map(({ outcome, percent }) => (
        <Progress.Section key={outcome} value={percent} color={COLORS[outcome]} withAria={false} />
      ))}
    </Progress.Root>
  )
}
