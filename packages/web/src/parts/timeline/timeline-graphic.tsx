import { Text } from '@mantine/core'
import classes from './timeline.module.css'
import { layoutTimeline, type TimelineItem, type TimelineWhen } from './timeline-layout.ts'

const MAX_ROWS = 20
const LANE_PX = 26

/** Bars over time, a row for each kind. Hidden from assistive technology: show the same as a list. */
export function TimelineGraphic({
  title,
  items,
  when,
  nameOf,
  moreRows,
}: {
  title: string
  items: readonly TimelineItem[]
  when: TimelineWhen
  nameOf: (row: string) => string
  /** Says how many rows are left out. */
  moreRows: (count: number) => string
}) {
  const { nowAt, ticks, rows } = layoutTimeline(items, when)
  if (rows.length === 0) return null
  return (
    <div className={classes.graphic} aria-hidden="true">
      <Text size="sm" c="dimmed" mb={4}>
        {title}
      </Text>
      <div className={classes.rows}>
        {rows.slice(0, MAX_ROWS).map(({ row, lanes, bars }) => (
          <div className={classes.row} key={row}>
            <div className={classes.name} title={nameOf(row)}>
              {nameOf(row)}
            </div>
            <div className={classes.track} style={{ height: lanes * LANE_PX + 4 }}>
              {ticks.map(({ at }) => (
                <div key={at} className={classes.gridLine} style={{ left: `${at}%` }} />
              ))}
              {bars.map(({ item, left, width, lane, label, isCutLeft, isCutRight }) => (
                <div
                  key={item.key}
                  className={classes.bar}
                  data-state={item.look}
                  data-cut-left={isCutLeft || undefined}
                  data-cut-right={isCutRight || undefined}
                  style={{ left: `${left}%`, width: `${width}%`, top: lane * LANE_PX + 3 }}
                >
                  <span className={classes.label} data-place={label}>
                    {item.label}
                  </span>
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
      {rows.length > MAX_ROWS && <Text size="sm">{moreRows(rows.length - MAX_ROWS)}</Text>}
    </div>
  )
}
