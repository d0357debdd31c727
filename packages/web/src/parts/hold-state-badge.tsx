import { Badge } from '@mantine/core'
import type { Hold } from '@plantroom/contract/control-state'
import { stateName } from './describe-hold.ts'

const COLORS: Readonly<Record<Hold['state'], string>> = {
  reading: 'blue',
  waiting: 'blue',
  writing: 'blue',
  holding: 'green',
  releasing: 'blue',
  stuck: 'red',
}

/** What the controller does about a hold, in words. The color only helps to find it. */
export function HoldStateBadge({
  hold: { state, trouble },
  isLive,
}: {
  hold: Pick<Hold, 'state' | 'trouble'>
  isLive: boolean
}) {
  const color = trouble === null ? COLORS[state] : 'red'
  return (
    <Badge variant="light" color={isLive ? color : 'gray'}>
      {stateName({ state })}
    </Badge>
  )
}
