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
  windows,
  leftOut,
  groups,
  when,
  onRelease,
}: {
  windows: readonly LiveWindow[]
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
    <Stack component="section" gap="sm" aria-labelledby="windows">
      <Title order={2} size="h3" id="windows">
        {texts.title}
      </Title>
      {windows.length === 0 ? (
        <Text c="dimmed">
          {texts.none}. {texts.noneHint}
        </Text>
      ) : (
        <Paper withBorder p="md">
          <TimelineGraphic windows={windows} nameOf={nameOf} when={when} />
          <WindowList windows={windows} nameOf={nameOf} when={when} onRelease={onRelease} />
        </Paper>
      )}
      {leftOut > 0 && <Text>{texts.leftOut(counted(leftOut, 'window'))}</Text>}
    </Stack>
  )
})
