import { Group, Select, TextInput } from '@mantine/core'
import { useSearchParams } from 'wouter'
import { comparisonFrom, daysBefore, withComparison } from '../../parts/chart/compare.ts'
import { type Period, today } from '../../parts/chart/period.ts'
import { toLocalInput } from '../../parts/time.ts'
import { chartPage as texts } from '../../texts/charts.ts'
import { format } from '../../texts/format.ts'

const CHOICES = ['none', '1', '7', 'day'] as const

/** Chooses the day that the chart is compared with, in the address. */
export function CompareSelect({ period, timeZone, now }: { period: Period; timeZone: string; now: number }) {
  const [search, setSearch] = useSearchParams()
  const comparison = comparisonFrom(search)
  const chosen = !comparison ? 'none' : 'day' in comparison ? 'day' : String(comparison.daysBefore)
  const isSameDay = comparison !== undefined && daysBefore(comparison, period, timeZone) === undefined
  const compare = (next: ReturnType<typeof comparisonFrom>) =>
    setSearch((before) => withComparison(before, next), { replace: true })

  function choose(value: string | null) {
    if (value === null || value === 'none') return compare(undefined)
    if (value !== 'day') return compare({ daysBefore: Number(value) })
    return compare({ day: toLocalInput(period.from - 86_400_000, timeZone).slice(0, 10) })
  }

  return (
    <Group align="flex-end" gap="sm">
      <Select
        label={texts.compare}
        data={CHOICES.map((value) => ({ value, label: texts.comparisons[value] }))}
        value={CHOICES.find((choice) => choice === chosen) ?? 'none'}
        onChange={choose}
        allowDeselect={false}
        w={170}
      />
      {comparison && 'day' in comparison && (
        <TextInput
          type="date"
          label={format(texts.compareDay, { zone: timeZone })}
          value={comparison.day}
          max={today(now, timeZone)}
          error={isSameDay && texts.sameDay}
          onChange={({ currentTarget }) => currentTarget.value && compare({ day: currentTarget.value })}
        />
      )}
    </Group>
  )
}

/** Says what the dashed lines are. */
export function describeComparison(days: number): string {
  return format(days > 0 ? texts.compared : texts.comparedLater, { count: Math.abs(days) })
}
