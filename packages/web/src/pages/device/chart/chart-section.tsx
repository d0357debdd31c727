import { Button, Card, Group, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'wouter'
import { useSite } from '../../../api/use-site.ts'
import type { When } from '../../../parts/hold-words.ts'
import { Link } from '../../../parts/link.tsx'
import { Empty } from '../../../parts/notices.tsx'
import { chart as texts } from '../../../texts/device.ts'
import type { DatapointRow } from '../rows.ts'
import classes from './chart.module.css'
import { type ChartRange, rangeFrom, today, withoutRange, withRange } from './chart-range.ts'
import { ChartView } from './chart-view.tsx'

const RANGES = ['1h', '6h', '24h', 'day'] as const

/** The chart of the datapoint that the address names. */
export function ChartSection({
  deviceId,
  row,
  when,
  isLost,
}: {
  deviceId: string
  row: DatapointRow | undefined
  when: When
  isLost: boolean
}) {
  const { path } = useSite()
  const [search, setSearch] = useSearchParams()
  const heading = useRef<HTMLHeadingElement>(null)
  // Of what is not archived there is only what arrives: on a line of a day it would be a dot.
  const range = rangeFrom(search, when.timeZone, row?.datapoint.analyticsInterval === 0 ? '1h' : '24h')
  const show = (next: ChartRange) => setSearch((before) => withRange(before, next), { replace: true })
  const latest = today(when.now, when.timeZone)

  // It was asked for further down the page: whoever did so is taken to it.
  useEffect(() => {
    heading.current?.scrollIntoView({ block: 'start' })
    heading.current?.focus({ preventScroll: true })
  }, [])

  function close() {
    setSearch((before) => {
      const next = withoutRange(before)
      next.delete('datapoint')
      return next
    })
  }

  return (
    <Card component="section" withBorder padding="md" aria-labelledby="chart">
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" wrap="nowrap">
          <Title order={2} size="h3" id="chart" ref={heading} tabIndex={-1} className={classes.heading}>
            {row ? texts.title(row.datapoint.name) : texts.gone}
          </Title>
          <Button variant="default" size="sm" onClick={close} style={{ flexShrink: 0 }}>
            {texts.close}
          </Button>
        </Group>
        {row ? (
          <>
            <Group align="flex-end" gap="sm">
              <SegmentedControl
                aria-label={texts.range}
                value={range.kind}
                data={RANGES.map((value) => ({ value, label: texts.ranges[value] }))}
                onChange={(kind) =>
                  show(kind === 'day' ? { kind, day: latest } : { kind: kind as Exclude<ChartRange['kind'], 'day'> })
                }
              />
              {range.kind === 'day' && (
                <TextInput
                  type="date"
                  label={texts.day(when.timeZone)}
                  value={range.day}
                  max={latest}
                  onChange={(event) =>
                    event.currentTarget.value && show({ kind: 'day', day: event.currentTarget.value })
                  }
                />
              )}
            </Group>
            <ChartView deviceId={deviceId} row={row} range={range} when={when} isLost={isLost} />
            <Text size="sm">
              <Link to={path(`/reports?datapointId=${encodeURIComponent(row.datapoint.id)}`)}>{texts.reports}</Link>
            </Text>
          </>
        ) : (
          <Empty title={texts.gone}>{texts.goneHint}</Empty>
        )}
      </Stack>
    </Card>
  )
}
