import { List, Stack, Text, Title } from '@mantine/core'
import type { LimitInput, ModulatingLoad, PowerLimitSettings } from '@plantroom/contract/datapoint'
import { CardTable } from '../../../parts/card-table.tsx'
import { shownValue } from '../../../parts/value.ts'
import { format } from '../../../texts/format.ts'
import { schedules as texts } from '../../../texts/schedules.ts'
import { loadsInOrder } from '../describe-system.ts'
import { type datapointsById, describeShortest } from './describe-limits.ts'

const kw = (value: number) => shownValue(value, 'kW')

/** What power limits may do at the connection point of a system. */
export function PowerLimitView({
  settings,
  datapoints,
  system,
}: {
  settings: PowerLimitSettings
  datapoints: ReturnType<typeof datapointsById>
  system: string
}) {
  const { meterId, guaranteedKw, fallback, loads, inputs = [] } = settings
  const nameOf = (id: string) => datapoints.get(id)?.name ?? id
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {texts.powerLimit.head}
      </Title>
      <Text size="sm">
        {format(texts.powerLimit.about, { meter: nameOf(meterId), guaranteed: kw(guaranteedKw) })}{' '}
        {fallback?.importKw !== undefined && format(texts.powerLimit.fallbackImport, { limit: kw(fallback.importKw) })}{' '}
        {fallback?.exportKw !== undefined && format(texts.powerLimit.fallbackExport, { limit: kw(fallback.exportKw) })}
      </Text>
      <CardTable
        label={format(texts.powerLimit.loadsOf, { system })}
        rows={loadsInOrder(loads)}
        keyOf={({ datapointId }) => datapointId}
        framed={false}
        columns={[
          { head: texts.load, cell: ({ datapointId }) => nameOf(datapointId) },
          { head: texts.priority, cell: ({ priority }) => priority },
          {
            head: texts.powerLimit.power,
            cell: (load) => (load.kind === 'modulating' ? describeModulating(load, nameOf) : kw(load.ratedKw)),
          },
          {
            head: texts.shedValue,
            cell: (load) =>
              load.kind === 'switching' && shownValue(load.shedValue, datapoints.get(load.datapointId)?.unit),
          },
          { head: texts.shortest, cell: (load) => load.kind === 'switching' && describeShortest(load) },
        ]}
      />
      {inputs.length > 0 && (
        <List size="sm" aria-label={format(texts.powerLimit.contactsOf, { system })}>
          {inputs.map((input) => (
            <List.Item key={input.datapointId}>{describeInput(input, nameOf(input.datapointId))}</List.Item>
          ))}
        </List>
      )}
    </Stack>
  )
}

function describeModulating({ minKw, maxKw, storage }: ModulatingLoad, nameOf: (id: string) => string): string {
  const power = format(texts.rangeBoth, { min: kw(minKw), max: kw(maxKw) })
  if (!storage) return power
  const { chargeId, capacityKwh, lowestPercent, highestPercent } = storage
  return format(texts.powerLimit.stores, {
    ...{ power, charge: nameOf(chargeId), capacity: shownValue(capacityKwh, 'kWh') },
    ...{ lowest: shownValue(lowestPercent, '%'), highest: shownValue(highestPercent, '%') },
  })
}

const describeInput = ({ limitKw, debounceSeconds, whenLost }: LimitInput, name: string) =>
  format(texts.powerLimit.contact[whenLost], { name, limit: kw(limitKw), seconds: debounceSeconds })
