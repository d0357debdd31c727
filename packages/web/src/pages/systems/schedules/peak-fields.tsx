import { NumberInput, SegmentedControl, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { format } from '../../../texts/format.ts'
import { schedules } from '../../../texts/schedules.ts'
import { hourOfDay, type UnitOf } from '../review/describe-change.ts'
import type { DraftLoad, DraftPeakShaving } from './draft.ts'

const texts = schedules.editor
const LIMITS = Object.entries(texts.limits).map(([value, label]) => ({ value, label }))

/** Edits the limit of peak shaving, one or 24, and the priorities and values of its loads. */
export function PeakFields({
  shaving,
  unitOf,
  problemAt,
  onChange,
}: {
  shaving: DraftPeakShaving
  unitOf: UnitOf
  problemAt: (path: string) => string | undefined
  onChange: (shaving: DraftPeakShaving) => void
}) {
  const change = (changed: Partial<DraftPeakShaving>) => onChange({ ...shaving, ...changed })
  const changeLoad = (index: number, changed: Partial<DraftLoad>) =>
    change({ loads: shaving.loads.map((load, at) => (at === index ? { ...load, ...changed } : load)) })
  return (
    <Stack>
      <Title order={2} size="h4">
        {schedules.peakHead}
      </Title>
      <SegmentedControl
        aria-label={texts.limit}
        data={LIMITS}
        value={shaving.limit}
        onChange={(limit) => change({ limit: limit as DraftPeakShaving['limit'] })}
        style={{ alignSelf: 'flex-start' }}
      />
      {shaving.limit === 'one' && (
        <NumberInput
          label={texts.limitKw}
          value={shaving.limitKw}
          hideControls
          w={140}
          error={problemAt('peakShaving.limitKw')}
          onChange={(limitKw) => change({ limitKw })}
        />
      )}
      {shaving.limit === 'hourly' && (
        <SimpleGrid cols={{ base: 2, xs: 3, sm: 4, md: 6 }} spacing="xs">
          {shaving.hourlyLimitsKw.map((limit, hour) => (
            <NumberInput
              // biome-ignore lint/suspicious/noArrayIndexKey: the hours of a day have their places
              key={hour}
              size="xs"
              label={format(texts.hourKw, { from: hourOfDay(hour), to: hourOfDay(hour + 1) })}
              value={limit}
              hideControls
              error={problemAt(`peakShaving.hourlyLimitsKw[${hour}]`)}
              onChange={(value) => change({ hourlyLimitsKw: shaving.hourlyLimitsKw.with(hour, value) })}
            />
          ))}
        </SimpleGrid>
      )}
      {problemAt('peakShaving.loads') && <Text c="red">{problemAt('peakShaving.loads')}</Text>}
      {shaving.loads.map((load, index) => {
        const { datapoint } = load
        const unit = unitOf(datapoint)
        const path = `peakShaving.loads[${index}]`
        return (
          <SimpleGrid key={datapoint} cols={{ base: 1, xs: 2 }} maw={640} style={{ alignItems: 'end' }}>
            <NumberInput
              label={format(texts.priorityOf, { load: datapoint })}
              value={load.priority}
              hideControls
              error={problemAt(`${path}.priority`) ?? problemAt(`${path}.datapoint`)}
              onChange={(priority) => changeLoad(index, { priority })}
            />
            <NumberInput
              label={
                unit
                  ? format(texts.shedValueIn, { load: datapoint, unit })
                  : format(texts.shedValueOf, { load: datapoint })
              }
              value={load.shedValue}
              hideControls
              error={problemAt(`${path}.shedValue`)}
              onChange={(shedValue) => changeLoad(index, { shedValue })}
            />
          </SimpleGrid>
        )
      })}
    </Stack>
  )
}
