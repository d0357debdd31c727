import { Badge, Button, Group, Text, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { useSite } from '../../../api/use-site.ts'
import { placedBySentence, type When, windowTimes } from '../../../parts/hold-words.ts'
import { counted, shownValue } from '../../../parts/value.ts'
import { timeline as texts } from '../../../texts/device.ts'
import type { LiveWindow } from '../rows.ts'
import classes from './timeline.module.css'
import { inReadingOrder } from './timeline-layout.ts'

const FIRST = 6
const STEP = 50

const COLORS = { active: 'cyan', queued: 'blue', superseded: 'gray' } as const

/** Every window in words: what, from when to when, who placed it; and the way to end it. */
export function WindowList({
  overrides,
  nameOf,
  when,
  onRelease,
}: {
  overrides: readonly LiveWindow[]
  nameOf: (datapointId: string) => string
  when: When
  onRelease: (datapointId: string, windowId: string) => void
}) {
  const { may } = useSite()
  const [limit, setLimit] = useState(FIRST)
  const leftOut = overrides.length - limit
  return (
    <>
      <ul className={classes.list} aria-label={texts.list}>
        {inReadingOrder(overrides)
          .slice(0, limit)
          .map((window) => (
            <li key={window.id} className={classes.entry}>
              <div>
                <Group gap="xs">
                  <Text fw={600}>
                    {nameOf(window.datapointId)} {texts.entry(shownValue(window.value))}
                  </Text>
                  <Badge variant="light" color={COLORS[window.state]}>
                    {texts.state[window.state]}
                  </Badge>
                </Group>
                <Text size="sm">
                  {[windowTimes(window, when), placedBySentence(window)].filter(Boolean).join(', ')}
                </Text>
              </div>
              {may('manager') && (
                <Button variant="default" size="sm" onClick={() => onRelease(window.datapointId, window.id)}>
                  {window.state === 'active' ? texts.release : texts.cancel}
                  <VisuallyHidden>
                    {texts.ofWindow(nameOf(window.datapointId), shownValue(window.value))}
                  </VisuallyHidden>
                </Button>
              )}
            </li>
          ))}
      </ul>
      {leftOut > 0 && (
        <Button variant="default" onClick={() => setLimit((before) => before + STEP)} mt="sm">
          {texts.more(counted(leftOut, 'window'))}
        </Button>
      )}
    </>
  )
}
