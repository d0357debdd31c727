import { Text } from '@mantine/core'
import type { When } from '../../../parts/hold-words.ts'
import { counted, shownValue } from '../../../parts/value.ts'
import { timeline as texts } from '../../../texts/device.ts'
import type { LiveWindow } from '../rows.ts'
import classes from './timeline.module.css'
import { layoutTimeline } from './timeline-layout.ts'

const MAX_ROWS = 20
const LANE_PX = 26

/** The next 24 hours, a row for each datapoint. The list beside it says the same: this is for the eye alone. */
export function TimelineGraphic({
  overrides,
  nameOf,
  when,
}: {
  overrides: readonly LiveWindow[]
  nameOf: (datapointId: string) => string
  when: When
}) {
  const { nowAt, ticks, rows } = layoutTimeline(overrides, when)
  if (rows.length === 0) return null
  return (
    <div className={classes.graphic} aria-hidden="true">
      <Text size="sm" c="dimmed" mb={4}>
        {texts.graphic(when.timeZone)}
      </Text>
      <div className={classes.rows}>
        {rows.slice(0, MAX_ROWS).map(({ datapointId, lanes, bars }) => (
          <div className={classes.row} key={datapointId}>
            <div className={classes.name} title={nameOf(datapointId)}>
              {nameOf(datapointId)}
            </div>
            <div className={classes.track} style={{ height: lanes * LANE_PX + 4 }}>
              {ticks.map(({ at }) => (
                <div key={at} className={classes.gridLine} style={{ left: `${at}%` }} />
              ))}
              {bars.map(({ window, left, width, lane, isCutLeft, isCutRight }) => (
                <div
                  key={window.id}
                  className={classes.bar}
                  data-state={window.state}
                  data-cut-left={isCutLeft || undefined}
                  data-cut-right={isCutRight || undefined}
                  style={{ left: `${left}%`, width: `${width}%`, top: lane * LANE_PX + 3 }}
                >
                  {shownValue(window.value)}
                </div>
              ))}
              <div className={classes.now} style={{ left: `${nowAt}%` }} />
            </div>
          </div>
        ))}
        <div className={classes.row}>
          <div className={classes.name} />
          <div className={classes.axis}>
            {ticks.map(({ at, label }) => (
              <span key={at} className={classes.tick} style={{ left: `${at}%` }}>
                {label}
              </span>
            ))}
          </div>
        </div>
      </div>
      {rows.length > MAX_ROWS && <Text size="sm">{texts.moreRows(counted(rows.length - MAX_ROWS, 'datapoint'))}</Text>}
    </div>
  )
}
