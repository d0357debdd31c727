import { Group, Paper, Select, SimpleGrid, Text, TextInput } from '@mantine/core'
import type { CommissionedConnection, CommissionedDatapoint } from '@plantroom/contract/commissioning'
import { ACCESS_TYPES } from '@plantroom/contract/datapoint'
import type { FlowPart } from '@plantroom/contract/main-measurements'
import { SmallButton } from '../../../parts/small-button.tsx'
import { editor as texts } from '../../../texts/editor.ts'
import { format } from '../../../texts/format.ts'
import { record } from '../../../texts/record.ts'
import { LineInput } from './line-input.tsx'
import { type ReadAddress, Reading } from './reading.tsx'

/** One datapoint of a connection. */
export function DatapointFields({
  datapoint,
  number,
  problemAt,
  onChange,
  onRemove,
  place,
  partOf,
  onRead,
}: {
  datapoint: CommissionedDatapoint
  number: number
  problemAt: (field: string) => string | undefined
  onChange: (datapoint: CommissionedDatapoint) => void
  onRemove: () => void
  /** Where the connection leads. */
  place: Pick<CommissionedConnection, 'protocol' | 'settings'>
  partOf: (datapoint: CommissionedDatapoint) => FlowPart | undefined
  onRead: ReadAddress
}) {
  const { name, accessType, unit, data } = datapoint
  const label = format(texts.datapoint, { number, name: name || texts.unnamed })
  const change = (changed: Partial<CommissionedDatapoint>) => onChange({ ...datapoint, ...changed })
  function changeUnit(value: string): void {
    const { unit: _, ...rest } = datapoint
    onChange(value === '' ? rest : { ...rest, unit: value })
  }
  return (
    <Paper withBorder p="xs" role="group" aria-label={label}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
        <TextInput
          label={texts.name}
          size="xs"
          value={name ?? ''}
          error={problemAt('name')}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
        <Select
          label={record.columns.access}
          size="xs"
          data={ACCESS_TYPES.map((value) => ({ value, label: record.access[value] }))}
          value={accessType}
          allowDeselect={false}
          error={problemAt('accessType')}
          onChange={(chosen) => chosen && change({ accessType: chosen as CommissionedDatapoint['accessType'] })}
        />
        <TextInput
          label={record.columns.unit}
          size="xs"
          value={unit ?? ''}
          error={problemAt('unit')}
          onChange={({ currentTarget }) => changeUnit(currentTarget.value)}
        />
        <LineInput
          label={record.columns.address}
          size="xs"
          value={data}
          error={problemAt('data')}
          onChange={(changed) => change({ data: changed })}
        />
      </SimpleGrid>
      <Text size="sm" c="red" role={problemAt('') ? 'alert' : undefined}>
        {problemAt('')}
      </Text>
      <Group mt="xs" align="flex-start">
        <Reading
          label={format(texts.read.label, { name: label })}
          place={place}
          datapoint={datapoint}
          partOf={partOf}
          onRead={onRead}
          onChange={onChange}
        />
        <SmallButton ml="auto" aria-label={format(texts.removeLabel, { name: label })} onClick={onRemove}>
          {texts.remove}
        </SmallButton>
      </Group>
    </Paper>
  )
}
