import { Box, Group, SegmentedControl, TextInput } from '@mantine/core'
import { chart as texts } from '../../texts/charts.ts'
import { format } from '../../texts/format.ts'
import { TimeInput } from '../time-input.tsx'
import { type ChartRange, LAST_RANGES, type LastRange, type Period, today } from './period.ts'

const KINDS = [...LAST_RANGES, 'day', 'own'] as const

/** Chooses the time up to now, a day of the site, or any period. */
export function PeriodPicker({
  range,
  shown,
  now,
  timeZone,
  onChange,
}: {
  range: ChartRange
  /** The period of the chart: where one's own begins. */
  shown: Period
  now: number
  timeZone: string
  onChange: (range: ChartRange) => void
}) {
  const latest = today(now, timeZone)
  const choose = (kind: ChartRange['kind']) => {
    if (kind === 'own') onChange({ kind, from: shown.from, to: Math.min(shown.to, now) })
    else onChange(kind === 'day' ? { kind, day: latest } : { kind: kind as LastRange })
  }
  return (
    <Group align="flex-end" gap="sm" maw="100%">
      <Box maw="100%" style={{ overflowX: 'auto' }}>
        <SegmentedControl
          aria-label={texts.range}
          value={range.kind}
          data={KINDS.map((value) => ({ value, label: texts.ranges[value] }))}
          onChange={(kind) => choose(kind as ChartRange['kind'])}
        />
      </Box>
      {range.kind === 'day' && (
        <TextInput
          type="date"
          label={format(texts.day, { zone: timeZone })}
          value={range.day}
          max={latest}
          onChange={({ currentTarget }) => currentTarget.value && onChange({ kind: 'day', day: currentTarget.value })}
        />
      )}
      {range.kind === 'own' && <OwnPeriod range={range} timeZone={timeZone} onChange={onChange} />}
    </Group>
  )
}

function OwnPeriod({
  range,
  timeZone,
  onChange,
}: {
  range: Period
  timeZone: string
  onChange: (range: ChartRange) => void
}) {
  const change = (name: keyof Period) => (value: string | undefined) => {
    if (value === undefined) return
    const next = { ...range, [name]: Date.parse(value) }
    // The other end follows, so that every choice is a period.
    const span = range.to - range.from
    if (next.to <= next.from) next[name === 'from' ? 'to' : 'from'] = next[name] + (name === 'from' ? span : -span)
    onChange({ kind: 'own', ...next })
  }
  return (
    <>
      <TimeInput
        label={format(texts.from, { zone: timeZone })}
        value={new Date(range.from).toISOString()}
        onChange={change('from')}
        timeZone={timeZone}
      />
      <TimeInput
        label={format(texts.to, { zone: timeZone })}
        value={new Date(range.to).toISOString()}
        onChange={change('to')}
        timeZone={timeZone}
      />
    </>
  )
}
