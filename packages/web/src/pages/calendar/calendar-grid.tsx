import { Button, Group, Paper, Text } from '@mantine/core'
import { ON_OFF } from '@plantroom/contract/units'
import { useState } from 'react'
import { useSite } from '../../api/use-site.ts'
import { type CalendarPeriod, hourTicks } from '../../parts/calendar-time.ts'
import { shownValue } from '../../parts/value.ts'
import { calendar as texts } from '../../texts/calendar.ts'
import { format } from '../../texts/format.ts'
import classes from './calendar.module.css'
import type { CalendarOverride, CalendarRow } from './calendar-rows.ts'
import { fitting, slotValue, timesOf } from './describe-entry.ts'
import { shortDay } from './short-day.ts'

const LANE_PX = 28
const BAND_PX = 24
const FIRST = 30
const STATES = ['active', 'queued', 'superseded', 'ended'] as const

/** The period as a drawing: a row per datapoint, overrides above the slots of its schedule. */
export function CalendarGrid({
  period,
  rows,
  now,
  onOpen,
}: {
  period: CalendarPeriod
  rows: readonly CalendarRow[]
  now: number
  onOpen: (row: CalendarRow, override: CalendarOverride) => void
}) {
  const { site } = useSite()
  const [limit, setLimit] = useState(FIRST)
  const { start, end, days } = period
  const place = (at: number) => (100 * (Math.min(Math.max(at, start), end) - start)) / (end - start)
  const span = (of: { start: number; end: number }) => ({
    left: `${place(of.start)}%`,
    width: `${place(of.end) - place(of.start)}%`,
  })
  const [only] = days
  const ticks =
    days.length === 1 && only
      ? hourTicks(only, 2, site.timeZone)
      : days.map((day) => ({ at: day.start, label: shortDay(day.date) }))
  return (
    <Paper withBorder p="md">
      <Group gap="lg" mb="xs">
        <Group gap={6}>
          <span className={`${classes.band} ${classes.legend}`} />
          <Text size="sm">{texts.legendSchedule}</Text>
        </Group>
        {STATES.map((state) => (
          <Group key={state} gap={6}>
            <span className={`${classes.bar} ${classes.legend}`} data-state={state} />
            <Text size="sm">{format(texts.legendOverride, { state: texts.states[state] })}</Text>
          </Group>
        ))}
      </Group>
      <div className={classes.scroll}>
        <div className={classes.grid}>
          <div className={classes.row}>
            <div className={classes.name} />
            <div className={classes.axis} aria-hidden="true">
              {ticks.map(({ at, label }) => (
                <span key={at} className={classes.tick} style={{ left: `${place(at)}%` }}>
                  {label}
                </span>
              ))}
            </div>
          </div>
          {rows.slice(0, limit).map((row) => (
            // biome-ignore lint/a11y/useSemanticElements: a row of a drawing is no fieldset
            <div
              key={`${row.device.id} ${row.datapointId}`}
              className={classes.row}
              role="group"
              aria-label={format(texts.row, { name: row.name, controller: row.device.name })}
            >
              <div className={classes.name}>
                {row.name}
                {row.unit !== undefined && row.unit !== ON_OFF && (
                  <Text span size="xs" c="dimmed" ml={4}>
                    {row.unit}
                  </Text>
                )}
              </div>
              <div
                className={classes.track}
                style={{ height: Math.max(36, row.lanes * LANE_PX + (row.slots.length > 0 ? BAND_PX : 0) + 8) }}
              >
                {ticks.map(({ at }) => (
                  <div
                    key={at}
                    className={classes.line}
                    data-strong={days.length > 1 || undefined}
                    style={{ left: `${place(at)}%` }}
                  />
                ))}
                {row.slots.map((slot) => {
                  const value = slotValue(slot.slot, row.unit)
                  const label = format(texts.band, { name: row.name, value, ...timesOf(slot, site.timeZone) })
                  return (
                    <div
                      key={slot.start}
                      className={classes.band}
                      style={span(slot)}
                      role="img"
                      aria-label={label}
                      title={label}
                    >
                      {fitting([value, slotValue(slot.slot, undefined)], place(slot.end) - place(slot.start))}
                    </div>
                  )
                })}
                {row.overrides.map((override) => (
                  <Bar
                    key={override.key}
                    row={row}
                    override={override}
                    percent={place(override.end) - place(override.start)}
                    style={{
                      ...span(override),
                      top: override.lane * LANE_PX + (row.slots.length > 0 ? BAND_PX : 0) + 4,
                    }}
                    onOpen={() => onOpen(row, override)}
                  />
                ))}
                {now >= start && now < end && <div className={classes.now} style={{ left: `${place(now)}%` }} />}
              </div>
            </div>
          ))}
        </div>
      </div>
      {rows.length > limit && (
        <Button variant="default" mt="sm" onClick={() => setLimit((before) => before + 100)}>
          {format(texts.more, { count: rows.length - limit })}
        </Button>
      )}
    </Paper>
  )
}

function Bar({
  row,
  override,
  percent,
  style,
  onOpen,
}: {
  row: CalendarRow
  override: CalendarOverride
  /** Its share of the width. */
  percent: number
  style: { left: string; width: string; top: number }
  onOpen: () => void
}) {
  const { site } = useSite()
  const value = shownValue(override.value, row.unit)
  const label = format(texts.bar, {
    state: texts.states[override.state],
    name: row.name,
    value,
    ...timesOf(override, site.timeZone),
  })
  return (
    <button
      type="button"
      className={classes.bar}
      data-state={override.state}
      style={style}
      aria-label={label}
      title={label}
      onClick={onOpen}
    >
      {fitting([value, shownValue(override.value, undefined)], percent)}
    </button>
  )
}
