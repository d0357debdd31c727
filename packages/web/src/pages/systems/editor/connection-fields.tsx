import { Button, Group, Paper, Select, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import type { CommissionedConnection, CommissionedDatapoint } from '@plantroom/contract/commissioning'
import { ACCESS_TYPES } from '@plantroom/contract/datapoint'
import { PROTOCOL_LABELS, PROTOCOLS, type Protocol } from '@plantroom/contract/protocols'
import { useState } from 'react'
import { SmallButton } from '../../../parts/small-button.tsx'
import { editor as texts } from '../../../texts/editor.ts'
import { format } from '../../../texts/format.ts'
import { record } from '../../../texts/record.ts'
import { addressText, readAddress } from './address-text.ts'
import { PasteTable } from './paste-table.tsx'

/** More are in the file, and shown on demand. */
const SHOWN = 20

/** What a connection of each protocol begins with. */
const SETTINGS: Readonly<Record<Protocol, Readonly<Record<string, unknown>>>> = {
  'modbus-tcp': { host: '', port: 502, unitId: 1 },
  'modbus-rtu': { path: '/dev/ttyUSB0', baudRate: 19_200, parity: 'even', unitId: 1 },
  'modbus-rtu-tcp': { host: '', port: 502, unitId: 1 },
  mqtt: { url: 'mqtt://' },
  obix: { url: 'http://' },
  'bacnet-ip': { host: '' },
  sunspec: { host: '', port: 502, unitId: 1 },
}

export function newConnection(): CommissionedConnection {
  return { name: '', protocol: 'modbus-tcp', settings: { ...SETTINGS['modbus-tcp'] }, datapoints: [] }
}

/** One connection of a file, with its datapoints. */
export function ConnectionFields({
  connection,
  number,
  problemAt,
  onChange,
  onRemove,
}: {
  connection: CommissionedConnection
  number: number
  problemAt: (field: string) => string | undefined
  onChange: (connection: CommissionedConnection) => void
  onRemove: () => void
}) {
  const [shown, setShown] = useState(SHOWN)
  const [isPasting, setIsPasting] = useState(false)
  const { name, protocol, settings, datapoints } = connection
  const change = (changed: Partial<CommissionedConnection>) => onChange({ ...connection, ...changed })
  const title = format(texts.connection, { number, name: name || texts.unnamed })
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h4">
            {title}
          </Title>
          <SmallButton aria-label={format(texts.removeLabel, { name: title })} onClick={onRemove}>
            {texts.remove}
          </SmallButton>
        </Group>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput
            label={texts.name}
            value={name ?? ''}
            error={problemAt('name')}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          />
          <Select
            label={texts.protocol}
            data={PROTOCOLS.map((value) => ({ value, label: PROTOCOL_LABELS[value] }))}
            value={protocol}
            allowDeselect={false}
            error={problemAt('protocol')}
            onChange={(chosen) =>
              chosen && change({ protocol: chosen as Protocol, settings: { ...SETTINGS[chosen as Protocol] } })
            }
          />
        </SimpleGrid>
        <LineInput
          label={texts.settings}
          description={texts.settingsHint}
          value={settings}
          error={problemAt('settings')}
          onChange={(changed) => change({ settings: changed })}
        />
        <Text fw={600}>{format(texts.datapoints, { count: datapoints.length })}</Text>
        {datapoints.slice(0, shown).map((datapoint, at) => (
          <DatapointFields
            // biome-ignore lint/suspicious/noArrayIndexKey: a name is edited, and datapoints have no other identity
            key={at}
            datapoint={datapoint}
            number={at + 1}
            problemAt={(field) => problemAt(field === '' ? `datapoints[${at}]` : `datapoints[${at}].${field}`)}
            onChange={(changed) => change({ datapoints: datapoints.with(at, changed) })}
            onRemove={() => change({ datapoints: datapoints.toSpliced(at, 1) })}
          />
        ))}
        {datapoints.length > shown && (
          <SmallButton onClick={() => setShown(shown + 2 * SHOWN)}>
            {format(texts.more, { count: datapoints.length - shown })}
          </SmallButton>
        )}
        <Group>
          <Button
            variant="default"
            onClick={() => {
              setShown(Math.max(shown, datapoints.length + 1))
              change({ datapoints: [...datapoints, { name: '', accessType: 'READ', data: {} }] })
            }}
          >
            {texts.addDatapoint}
          </Button>
          <Button variant="default" aria-expanded={isPasting} onClick={() => setIsPasting(!isPasting)}>
            {texts.paste}
          </Button>
        </Group>
        {isPasting && (
          <PasteTable
            known={datapoints.map((one) => one.name)}
            onAdd={(added) => {
              change({ datapoints: [...datapoints, ...added] })
              setIsPasting(false)
            }}
          />
        )}
      </Stack>
    </Paper>
  )
}

function DatapointFields({
  datapoint,
  number,
  problemAt,
  onChange,
  onRemove,
}: {
  datapoint: CommissionedDatapoint
  number: number
  problemAt: (field: string) => string | undefined
  onChange: (datapoint: CommissionedDatapoint) => void
  onRemove: () => void
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
      <Group justify="space-between" mt="xs">
        <Text size="sm" c="red" role={problemAt('') ? 'alert' : undefined}>
          {problemAt('')}
        </Text>
        <SmallButton aria-label={format(texts.removeLabel, { name: label })} onClick={onRemove}>
          {texts.remove}
        </SmallButton>
      </Group>
    </Paper>
  )
}

/** Fields as one line. What is no fields yet stays here until it is. */
function LineInput({
  label,
  description,
  size,
  value,
  error,
  onChange,
}: {
  label: string
  description?: string
  size?: 'xs'
  value: Readonly<Record<string, unknown>>
  error: string | undefined
  onChange: (value: Record<string, unknown>) => void
}) {
  const [typed, setTyped] = useState<{ line: string; of: unknown }>()
  const isTyping = typed !== undefined && typed.of === JSON.stringify(value)
  const line = isTyping ? typed.line : addressText(value)
  return (
    <TextInput
      label={label}
      description={description}
      {...(size && { size })}
      value={line}
      error={readAddress(line) ? error : texts.noFields}
      spellCheck={false}
      autoCapitalize="off"
      onChange={({ currentTarget }) => {
        const read = readAddress(currentTarget.value)
        setTyped({ line: currentTarget.value, of: JSON.stringify(read ?? value) })
        if (read) onChange(read)
      }}
    />
  )
}
