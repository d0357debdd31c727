import { Alert, Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useSearchParams } from 'wouter'
import { useSite } from '../../api/use-site.ts'
import { useNow } from '../../live/use-now.ts'
import {
  addDays,
  type CalendarPeriod,
  type CalendarView,
  dateAt,
  periodOf,
  readDate,
} from '../../parts/calendar-time.ts'
import { useIsWide } from '../../parts/card-table.tsx'
import { Empty, ErrorNotice, Loading } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { listed } from '../../parts/value.ts'
import { calendar as texts } from '../../texts/calendar.ts'
import { format } from '../../texts/format.ts'
import { CalendarGrid } from './calendar-grid.tsx'
import { CalendarList } from './calendar-list.tsx'
import type { CalendarOverride, CalendarRow } from './calendar-rows.ts'
import { OverrideDetails } from './override-details.tsx'
import { shortDay } from './short-day.ts'
import { useCalendar } from './use-calendar.ts'

const VIEWS = (['week', 'day'] as const).map((value) => ({ value, label: texts.views[value] }))
const EVERY_MS = 30_000

/** Overrides and schedules of a site by week or by day. Both are in the address. */
export function CalendarPage() {
  const { site } = useSite()
  const [params, setParams] = useSearchParams()
  const now = useNow(EVERY_MS)
  const today = dateAt(now, site.timeZone)
  const view: CalendarView = params.get('view') === 'day' ? 'day' : 'week'
  const date = readDate(params.get('date')) ?? today
  const period = useMemo(() => periodOf(view, date, site.timeZone), [view, date, site.timeZone])
  const found = useCalendar(period, now)
  const isWide = useIsWide()
  const [opened, setOpened] = useState<{ row: CalendarRow; override: CalendarOverride }>()
  const open = (row: CalendarRow, override: CalendarOverride) => setOpened({ row, override })

  const go = (to: { view?: CalendarView; date?: string }) =>
    setParams(new URLSearchParams({ view, date, ...to }), { replace: true })
  const changed = period.days.find(({ hours }) => hours !== 24)

  return (
    <>
      <PageHead title={texts.title}>{format(texts.intro, { zone: site.timeZone })}</PageHead>
      <Stack>
        <CalendarControls view={view} date={date} today={today} onGo={go} />
        <Group gap="sm">
          <Text fw={600} role="status">
            {describePeriod(period)}
          </Text>
          {changed && <Text size="sm">{format(texts.clockChange, { count: changed.hours })}</Text>}
        </Group>
        {found.silent.length > 0 && (
          <Alert color="yellow" variant="light" role="status">
            {format(texts.notKnown, { controllers: listed(found.silent.map(({ name }) => name)) })}
          </Alert>
        )}
        {found.isCut && <Alert color="yellow">{texts.cut}</Alert>}
        {found.error && <ErrorNotice error={found.error} retry={found.refetch} />}
        {found.rows.length === 0 ? (
          found.isLoading ? (
            <Loading />
          ) : (
            <Empty title={texts.empty} />
          )
        ) : isWide ? (
          <CalendarGrid period={period} rows={found.rows} now={now} onOpen={open} />
        ) : (
          <CalendarList period={period} rows={found.rows} onOpen={open} />
        )}
      </Stack>
      {opened && <OverrideDetails {...currentOf(found.rows, opened)} onClose={() => setOpened(undefined)} />}
    </>
  )
}

/** Returns an override as it is now: it may have started or ended while it is shown. */
function currentOf(rows: readonly CalendarRow[], opened: { row: CalendarRow; override: CalendarOverride }) {
  const { row, override } = opened
  const now = rows
    .filter(({ device, datapointId }) => device.id === row.device.id && datapointId === row.datapointId)
    .flatMap(({ overrides }) => overrides)
    .find(({ key }) => key === override.key)
  return { row, override: now ?? { ...override, id: null, state: 'ended' as const } }
}

function describePeriod({ days }: CalendarPeriod): string {
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return ''
  if (first === last) return shortDay(first.date)
  return format(texts.period, { from: shortDay(first.date), to: shortDay(last.date) })
}

function CalendarControls({
  view,
  date,
  today,
  onGo,
}: {
  view: CalendarView
  date: string
  today: string
  onGo: (to: { view?: CalendarView; date?: string }) => void
}) {
  const step = view === 'week' ? 7 : 1
  return (
    <Group align="flex-end" gap="sm">
      <SegmentedControl
        aria-label={texts.view}
        data={VIEWS}
        value={view}
        onChange={(chosen) => onGo({ view: chosen === 'day' ? 'day' : 'week' })}
      />
      <Group gap="xs">
        <Button variant="default" onClick={() => onGo({ date: addDays(date, -step) })}>
          {texts.previous}
        </Button>
        <Button variant="default" onClick={() => onGo({ date: today })}>
          {texts.today}
        </Button>
        <Button variant="default" onClick={() => onGo({ date: addDays(date, step) })}>
          {texts.next}
        </Button>
      </Group>
      <TextInput
        type="date"
        label={texts.date}
        value={date}
        onChange={({ currentTarget }) => {
          const chosen = readDate(currentTarget.value)
          if (chosen) onGo({ date: chosen })
        }}
      />
    </Group>
  )
}
