import { Badge } from '@mantine/core'
import { common } from '../texts/common.ts'

const COLORS = { online: 'green', offline: 'red', noAnswerYet: 'gray', unknown: 'gray' } as const

/** Whether a controller is online. */
export function OnlineBadge({ online }: { online: keyof typeof COLORS }) {
  return (
    <Badge color={COLORS[online]} variant="light" style={{ flexShrink: 0 }}>
      {common[online]}
    </Badge>
  )
}
