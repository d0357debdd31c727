import { Group, Paper, Select, SimpleGrid, Text, TextInput } from '@mantine/core'
import type { OperationReply } from '@plantroom/client/client'
import type { CommissionedConnection, CommissionedDatapoint } from '@plantroom/contract/commissioning'
import { ACCESS_TYPES } from '@plantroom/contract/datapoint'
import { SmallButton } from '../../../parts/small-button.tsx'
import { editor as texts } from '../../../texts/editor.ts'
import { format } from '../../../texts/format.ts'
import { record } from '../../../texts/record.ts'
import { LineInput } from './line-input.tsx'
import { ReadNow } from './read-now.tsx'

type Address = Pick<CommissionedConnection, 'protocol' | 'settings'> & Pick<CommissionedDatapoint, 'data' | 'scaler'>
/** Reads an address through the controller, before anything is stored. */
export type ReadAddress = (address: Address) => Promise<OperationReply<'readEquipment'>>

/** One datapoint of a connection. */
export function DatapointFields({
  datapoint,
  number,
  problemAt,
  onChange,
  onRemove,
  address,
  onRead,
}: {
  datapoint: CommissionedDatapoint
  number: number
  problemAt: (field: string) => string | undefined
  onChange: (datapoint: CommissionedDatapoint) => void
  onRemove: () => void
  address: Address
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
      <Group mt="xs">
        {/* A reading of another address says nothing about this one. */}
        <ReadNow
          key={JSON.stringify(address)}
          label={format(texts.read.label, { name: label })}
          unit={unit}
          read={() => onRead(address)}
        />
        <SmallButton ml="auto" aria-label={format(texts.removeLabel, { name: label })} onClick={onRemove}>
          {texts.remove}
        </SmallButton>
      </Group>
    </Paper>
  )
}
