import { Group, Paper, Select, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { LiveDevice } from '@plantroom/contract/control-state'
import { overridableIn, type TechnicalSystem } from '@plantroom/contract/datapoint'
import { useState } from 'react'
import { useSite } from '../../../api/use-site.ts'
import { CommandLines } from '../../../parts/command-lines.tsx'
import { CopyId } from '../../../parts/copy-id.tsx'
import { describeLines, exampleOf } from '../../../parts/describe-lines.ts'
import { SmallButton } from '../../../parts/small-button.tsx'
import { apiLines as texts } from '../../../texts/api-lines.ts'

interface PanelProps {
  device: { id: string; name: string }
  systems: readonly TechnicalSystem[]
  live: LiveDevice | undefined
}

/** Ids and commands for the engineers of a partner. Closed at first: operators do not need it. */
export function ApiPanel(props: PanelProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Stack component="section" gap="sm" aria-labelledby="api">
      <Group justify="space-between" gap="sm">
        <Title order={2} size="h3" id="api">
          {texts.title}
        </Title>
        <SmallButton onClick={() => setIsOpen(!isOpen)} aria-expanded={isOpen}>
          {isOpen ? texts.hide : texts.show}
        </SmallButton>
      </Group>
      {isOpen && <Opened {...props} />}
    </Stack>
  )
}

function Opened({ device, systems, live }: PanelProps) {
  const { organization, site, orgId } = useSite()
  const connections = systems.flatMap((system) => system.connections)
  const example = exampleOf(systems)
  const [connectionId, setConnectionId] = useState(example?.connection.id)
  const [datapointId, setDatapointId] = useState((example?.datapoint ?? example?.connection.datapoints[0])?.id)
  const connection = connections.find(({ id }) => id === connectionId)
  const datapoint = connection?.datapoints.find(({ id }) => id === datapointId)
  const isOverridable = overridableIn(systems)
  const writable = datapoint && isOverridable(datapoint) ? datapoint : undefined
  const placed = live?.overrides.filter((override) => override.datapointId === datapointId) ?? []
  const values = live?.connections.find((one) => one.connectionId === connectionId)?.values
  const present = datapointId === undefined ? undefined : values?.[datapointId]?.value
  // The ids of others are hidden from people who may not cancel them.
  const overrideId = (placed.find(({ state }) => state === 'active') ?? placed[0])?.id ?? undefined
  const chooseConnection = (chosen: string | null) => {
    const points = connections.find(({ id }) => id === chosen)?.datapoints ?? []
    setConnectionId(chosen ?? undefined)
    setDatapointId((points.find(isOverridable) ?? points[0])?.id)
  }
  return (
    <Paper withBorder p="md">
      <Stack>
        <Text size="sm">{texts.intro}</Text>
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
          <Id kind={texts.organization} name={organization.name} id={orgId} />
          <Id kind={texts.site} name={site.name} id={site.id} />
          <Id kind={texts.controller} name={device.name} id={device.id} />
        </SimpleGrid>
        {connection && (
          <>
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
              <Select
                label={texts.connection}
                data={connections.map(({ id, name }) => ({ value: id, label: name }))}
                value={connection.id}
                onChange={chooseConnection}
                searchable
                allowDeselect={false}
              />
              <Select
                label={texts.datapoint}
                data={connection.datapoints.map(({ id, name }) => ({ value: id, label: name }))}
                value={datapoint?.id ?? null}
                onChange={(chosen) => setDatapointId(chosen ?? undefined)}
                searchable
                allowDeselect={false}
              />
              <Id kind={texts.connection} name={connection.name} id={connection.id} />
              {datapoint && <Id kind={texts.datapoint} name={datapoint.name} id={datapoint.id} />}
              {overrideId && <Id kind={texts.override} name={texts.override} id={overrideId} />}
            </SimpleGrid>
            <Text size="sm" c="dimmed">
              {writable ? texts.controls : texts.readOnly}
            </Text>
            <CommandLines
              lines={describeLines(
                { orgId, deviceId: device.id, connectionId: connection.id, datapoint: writable, overrideId, present },
                { origin: location.origin },
              )}
            />
          </>
        )}
      </Stack>
    </Paper>
  )
}

/** The id of something with a copy button. */
function Id({ kind, name, id }: { kind: string; name: string; id: string }) {
  return (
    <div>
      <Group gap="xs" justify="space-between" wrap="nowrap">
        <Text size="xs" c="dimmed">
          {kind}
        </Text>
        <CopyId id={id} name={name} />
      </Group>
      <Text size="sm" ff="monospace">
        {id}
      </Text>
    </div>
  )
}
