import { Badge, Group, Paper, Text, Title } from '@mantine/core'
import { useSite } from '../../api/use-site.ts'
import type { CalendarDay, CalendarPeriod } from '../../parts/calendar-time.ts'
import { SmallButton } from '../../parts/small-button.tsx'
import { shownValue } from '../../parts/value.ts'
import { calendar as texts } from '../../texts/calendar.ts'
import { format } from '../../texts/format.ts'
import classes from './calendar.module.css'
import type { CalendarOverride, CalendarRow } from './calendar-rows.ts'
import { slotValue, timesOf } from './describe-entry.ts'
import { shortDay } from './short-day.ts'

/** The same as the drawing, as a list by day: for a phone. */
export function CalendarList({
  period,
  rows,
  onOpen,
}: {
  period: CalendarPeriod
  rows: readonly CalendarRow[]
  onOpen: (row: CalendarRow, override: CalendarOverride) => void
}) {
  return (
    <Paper withBorder p="md">
      {period.days.map((day) => (
        <section key={day.date} className={classes.day} aria-label={shortDay(day.date)}>
          <Title order={2} size="h5">
            {shortDay(day.date)}
          </Title>
          <DayEntries day={day} rows={rows} onOpen={onOpen} />
        </section>
      ))}
    </Paper>
  )
}

function DayEntries({
  day,
  rows,
  onOpen,
}: {
  day: CalendarDay
  rows: readonly CalendarRow[]
  onOpen: (row: CalendarRow, override: CalendarOverride) => void
}) {
  const { site } = useSite()
  const isToday = ({ start, end }: { start: number; end: number }) => start < day.end && end > day.start
  const entries = rows
    .flatMap((row) => [
      ...row.slots.filter(isToday).map((slot) => ({ row, slot, override: undefined, start: slot.start })),
      ...row.overrides.filter(isToday).map((override) => ({ row, slot: undefined, override, start: override.start })),
    ])
    .sort((a, b) => a.start - b.start)
  if (entries.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {texts.nothingOnDay}
      </Text>
    )
  }
  return (
    <ul className={classes.entries}>
      {entries.map(({ row, slot, override }) => {
        const shown = override ?? slot
        if (!shown) return null
        const times = timesOf(shown, site.timeZone, day.start)
        return (
          <li key={`${row.device.id} ${row.datapointId} ${override?.key ?? shown.start}`} className={classes.entry}>
            <div>
              <Text size="sm" fw={600}>
                {row.name}
              </Text>
              <Group gap={6}>
                <Text size="sm">
                  {override
                    ? format(texts.overridden, { value: shownValue(override.value, row.unit) })
                    : slot && format(texts.scheduled, { value: slotValue(slot.slot, row.unit) })}
                </Text>
                {override && (
                  <Badge size="sm" variant="light" c="inherit">
                    {texts.states[override.state]}
                  </Badge>
                )}
              </Group>
              <Text size="sm" c="dimmed" className="figures">
                {format(texts.times, times)}
              </Text>
            </div>
            {override && (
              <SmallButton
                aria-label={format(texts.detailsOf, { name: row.name, ...times })}
                onClick={() => onOpen(row, override)}
              >
                {texts.details}
              </SmallButton>
            )}
          </li>
        )
      })}
    </ul>
  )
}
