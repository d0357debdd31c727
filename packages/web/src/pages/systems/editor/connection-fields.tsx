import { Button, Group, Paper, Select, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import type { CommissionedConnection, CommissionedDatapoint } from '@plantroom/contract/commissioning'
import type { FlowPart } from '@plantroom/contract/main-measurements'
import { PROTOCOL_LABELS, PROTOCOLS, type Protocol } from '@plantroom/contract/protocols'
import { useState } from 'react'
import { SmallButton } from '../../../parts/small-button.tsx'
import { editor as texts } from '../../../texts/editor.ts'
import { format } from '../../../texts/format.ts'
import { DatapointFields } from './datapoint-fields.tsx'
import { LineInput } from './line-input.tsx'
import { PasteTable } from './paste-table.tsx'
import type { ReadAddress } from './reading.tsx'

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

/** What a connection of another protocol begins with: it keeps the host, the port and the unit. */
function settingsFor(
  protocol: Protocol,
  before: CommissionedConnection['settings'],
): CommissionedConnection['settings'] {
  return Object.fromEntries(Object.entries(SETTINGS[protocol]).map(([field, usual]) => [field, before[field] ?? usual]))
}

/** One connection of a file, with its datapoints. */
export function ConnectionFields({
  connection,
  number,
  problemAt,
  onChange,
  onRemove,
  onRemoveDatapoint,
  partOf,
  onRead,
}: {
  connection: CommissionedConnection
  number: number
  problemAt: (field: string) => string | undefined
  onChange: (connection: CommissionedConnection) => void
  onRemove: () => void
  onRemoveDatapoint: (place: number) => void
  /** Returns which power of the site a datapoint measures. */
  partOf: (datapoint: CommissionedDatapoint) => FlowPart | undefined
  onRead: ReadAddress
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
              chosen && change({ protocol: chosen as Protocol, settings: settingsFor(chosen as Protocol, settings) })
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
            onRemove={() => onRemoveDatapoint(at)}
            place={{ protocol, settings }}
            partOf={partOf}
            onRead={onRead}
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
