import { Paper, Stack, Text, Title } from '@mantine/core'
import { memo, useMemo } from 'react'
import type { When } from '../../../parts/hold-words.ts'
import { counted } from '../../../parts/value.ts'
import { timeline as texts } from '../../../texts/device.ts'
import type { LiveWindow, RowGroup } from '../rows.ts'
import { TimelineGraphic } from './timeline-graphic.tsx'
import { WindowList } from './window-list.tsx'

/** What runs and what is to come: drawn for those who see it, and as a list for all. */
export const TimelineSection = memo(function TimelineSection({
  overrides,
  leftOut,
  groups,
  when,
  onRelease,
}: {
  overrides: readonly LiveWindow[]
  leftOut: number
  groups: readonly RowGroup[]
  when: When
  onRelease: (datapointId: string, windowId: string) => void
}) {
  const names = useMemo(
    () => new Map(groups.flatMap(({ rows }) => rows.map(({ datapoint }) => [datapoint.id, datapoint.name] as const))),
    [groups],
  )
  const nameOf = (datapointId: string) => names.get(datapointId) ?? texts.unknownDatapoint
  return (
    <Stack component="section" gap="sm" aria-labelledby="overrides">
      <Title order={2} size="h3" id="overrides">
        {texts.title}
      </Title>
      {overrides.length === 0 ? (
        <Text c="dimmed">
          {texts.none}. {texts.noneHint}
        </Text>
      ) : (
        <Paper withBorder p="md">
          <TimelineGraphic overrides={overrides} nameOf={nameOf} when={when} />
          <WindowList overrides={overrides} nameOf={nameOf} when={when} onRelease={onRelease} />
        </Paper>
      )}
      {leftOut > 0 && <Text>{texts.leftOut(counted(leftOut, 'window'))}</Text>}
    </Stack>
  )
})
