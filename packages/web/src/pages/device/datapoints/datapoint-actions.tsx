import { Button, Group, VisuallyHidden } from '@mantine/core'
import { memo } from 'react'
import { Link } from 'wouter'
import { datapoints as texts } from '../../../texts/device.ts'
import type { RowWords } from './row-words.ts'

export interface RowHandlers {
  onOverride(datapointId: string): void
  onRelease(datapointId: string, windowId: string): void
}

/** What can be done with a datapoint; what one may not do is not there. */
export const DatapointActions = memo(function DatapointActions({
  id,
  name,
  canOverride,
  windowId,
  chartHref,
  onOverride,
  onRelease,
  isFull = false,
}: RowHandlers &
  Pick<RowWords, 'id' | 'name' | 'canOverride' | 'windowId'> & {
    chartHref: string
    /** As wide as there is room: for thumbs. */
    isFull?: boolean
  }) {
  const width = isFull ? { flex: '1 1 auto' } : undefined
  return (
    <Group gap="xs" justify="flex-end">
      <Button component={Link} href={chartHref} variant="default" px="sm" style={width}>
        {texts.chart}
        <VisuallyHidden>{texts.ofDatapoint(name)}</VisuallyHidden>
      </Button>
      {canOverride && (
        <Button variant="default" px="sm" onClick={() => onOverride(id)} style={width}>
          {texts.override}
          <VisuallyHidden>{texts.named(name)}</VisuallyHidden>
        </Button>
      )}
      {windowId !== null && (
        <Button color="red.9" size="md" onClick={() => onRelease(id, windowId)} fullWidth={isFull}>
          {texts.release}
          <VisuallyHidden>{texts.named(name)}</VisuallyHidden>
        </Button>
      )}
    </Group>
  )
})
