import { List, Stack, Text, Title } from '@mantine/core'
import type { PeakShaving, Schedule, TechnicalSystem } from '@plantroom/contract/datapoint'
import { CardTable } from '../../../parts/card-table.tsx'
import { shownValue } from '../../../parts/value.ts'
import { format } from '../../../texts/format.ts'
import { schedules as texts } from '../../../texts/schedules.ts'
import { describeSlot, hourOfDay } from '../review/describe-change.ts'
import { datapointsById, describeRange, describeShortest, limitedDatapoints } from './describe-limits.ts'
import { PowerLimitView } from './power-limit-view.tsx'
import classes from './schedules.module.css'
import { WeekView } from './week-view.tsx'

type Find = ReturnType<typeof datapointsById>

/** What a technical system does by itself: its schedules, its peak shaving, its power limit and the limits of its datapoints. */
export function SystemControl({ system }: { system: TechnicalSystem }) {
  const { schedules = [], peakShaving, powerLimit } = system
  const datapoints = datapointsById(system)
  const limited = limitedDatapoints(system)
  const isEmpty = schedules.length === 0 && !peakShaving && !powerLimit && limited.length === 0
  if (isEmpty) return <Text c="dimmed">{texts.nothing}</Text>
  return (
    <Stack gap="lg">
      {schedules.map((schedule) => (
        <ScheduleView key={schedule.id} schedule={schedule} datapoints={datapoints} />
      ))}
      {peakShaving && <PeakView shaving={peakShaving} datapoints={datapoints} system={system.name} />}
      {powerLimit && <PowerLimitView settings={powerLimit} datapoints={datapoints} system={system.name} />}
      {limited.length > 0 && (
        <Stack gap="xs">
          <Title order={3} size="h5">
            {texts.limitsHead}
          </Title>
          <CardTable
            label={format(texts.limitsOf, { system: system.name })}
            rows={limited}
            keyOf={({ id }) => id}
            framed={false}
            columns={[
              { head: texts.datapoint, cell: ({ name }) => name },
              { head: texts.range, cell: (row) => describeRange(row) || null },
              {
                head: texts.step,
                cell: ({ limits: { maxStepPerMinute: step }, unit }) => step !== undefined && shownValue(step, unit),
              },
              { head: texts.onOff, cell: ({ limits }) => describeShortest(limits) },
              { head: texts.starts, cell: ({ limits: { maxStartsPerDay } }) => maxStartsPerDay ?? null },
            ]}
          />
        </Stack>
      )}
    </Stack>
  )
}

function ScheduleView({ schedule, datapoints }: { schedule: Schedule; datapoints: Find }) {
  const { name, datapointId, slots } = schedule
  const datapoint = datapoints.get(datapointId)
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {format(texts.drives, { name, datapoint: datapoint?.name ?? datapointId })}
      </Title>
      <WeekView slots={slots} unit={datapoint?.unit} />
      <List size="sm" aria-label={format(texts.slots, { name })}>
        {slots.map((slot, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two slots may be equal
          <List.Item key={place}>{describeSlot(slot, datapoint?.unit)}</List.Item>
        ))}
      </List>
      <Text size="sm" c="dimmed">
        {texts.outside} {slots.length > 1 && texts.overlap}
      </Text>
    </Stack>
  )
}

function PeakView({ shaving, datapoints, system }: { shaving: PeakShaving; datapoints: Find; system: string }) {
  const { meterId, limitKw, hysteresisKw, cycleSeconds } = shaving
  const meter = datapoints.get(meterId)?.name ?? meterId
  const loads = shaving.loads.toSorted((a, b) => a.priority - b.priority)
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {texts.peakHead}
      </Title>
      <Text size="sm">
        {limitKw === null && format(texts.peakNone, { meter })}
        {typeof limitKw === 'number' && format(texts.peakFixed, { meter, limit: shownValue(limitKw) })}
        {typeof limitKw === 'object' && limitKw !== null && format(texts.peakHourly, { meter })}
      </Text>
      {typeof limitKw === 'object' && limitKw !== null && (
        <ul className={classes.hours} aria-label={texts.hours}>
          {limitKw.map((limit, hour) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the hours of a day have their places
            <li key={hour} className={classes.hour}>
              <Text size="xs" c="dimmed">
                {hourOfDay(hour)}
              </Text>
              <Text size="sm">{shownValue(limit)}</Text>
            </li>
          ))}
        </ul>
      )}
      <Text size="sm" c="dimmed">
        {format(texts.peakHysteresis, { hysteresis: shownValue(hysteresisKw), cycle: cycleSeconds })}
      </Text>
      <CardTable
        label={format(texts.loadsOf, { system })}
        rows={loads}
        keyOf={({ datapointId }) => datapointId}
        framed={false}
        columns={[
          { head: texts.load, cell: ({ datapointId }) => datapoints.get(datapointId)?.name ?? datapointId },
          { head: texts.priority, cell: ({ priority }) => priority },
          {
            head: texts.shedValue,
            cell: ({ datapointId, shedValue }) => shownValue(shedValue, datapoints.get(datapointId)?.unit),
          },
          { head: texts.shortest, cell: (load) => describeShortest(load) },
        ]}
      />
    </Stack>
  )
}
