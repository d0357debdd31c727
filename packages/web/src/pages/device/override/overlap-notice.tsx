import { Alert, List, Text } from '@mantine/core'
import type { When } from '../../../parts/hold-words.ts'
import { counted } from '../../../parts/value.ts'
import { override as texts } from '../../../texts/device.ts'
import type { DatapointRow } from '../rows.ts'
import { overlapping, overlapWords } from './consequence.ts'
import type { Plan } from './plan.ts'

const MAX_SHOWN = 3

/** Says that others have placed overrides in the time of this one. */
export function OverlapNotice({ row, plan, when }: { row: DatapointRow; plan: Plan; when: When }) {
  const others = overlapping(row.overrides, plan)
  if (others.length === 0) return null
  return (
    <Alert color="orange" title={texts.overlapTitle}>
      <List size="sm">
        {others.slice(0, MAX_SHOWN).map((window) => (
          <List.Item key={window.id}>{overlapWords(window, when)}</List.Item>
        ))}
      </List>
      <Text size="sm">
        {others.length > MAX_SHOWN && `${texts.overlapMore(counted(others.length - MAX_SHOWN, 'window'))} `}
        {texts.overlapHint}
      </Text>
    </Alert>
  )
}
