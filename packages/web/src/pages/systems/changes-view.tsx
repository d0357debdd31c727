import { Badge, Group, List, Stack, Text } from '@mantine/core'
import { systems } from '../../texts/systems.ts'
import type { Change, CommissioningChanges, ConnectionChange, NamedChange } from './commissioning-changes.ts'

const texts = systems.changes
const SHOWN = 20
const COLORS: Record<Change, string> = { new: 'green', changed: 'yellow', removed: 'red' }

/** What loading a file would do, by name. */
export function ChangesView({ system, changes }: { system: string; changes: CommissioningChanges }) {
  const { connections, schedules, peakShaving } = changes
  return (
    <Stack gap="sm">
      <Text role="status" fw={600}>
        {texts[changes.system](system)}
      </Text>
      {connections.map((connection) => (
        <Connection key={connection.name} connection={connection} />
      ))}
      {peakShaving && <Line change={peakShaving}>{texts.peak}</Line>}
      {schedules.map(({ name, change }) => (
        <Line key={name} change={change}>
          {texts.schedule(name)}
        </Line>
      ))}
    </Stack>
  )
}

function Connection({ connection }: { connection: ConnectionChange }) {
  const { name, change, fields, datapoints, unchanged } = connection
  return (
    <div>
      <Line change={change} fields={fields}>
        {texts.connection(name)}
      </Line>
      <List size="sm" listStyleType="none" pl="lg" mt={4}>
        {datapoints.slice(0, SHOWN).map((datapoint) => (
          <List.Item key={`${datapoint.change} ${datapoint.name}`} mb={4}>
            <Line change={datapoint.change} fields={datapoint.fields}>
              {datapoint.name}
            </Line>
          </List.Item>
        ))}
        {datapoints.length > SHOWN && <List.Item>{texts.more(datapoints.length - SHOWN)}</List.Item>}
        {unchanged > 0 && <List.Item>{texts.unchanged(unchanged)}</List.Item>}
      </List>
    </div>
  )
}

function Line({ change, fields = [], children }: Partial<NamedChange> & { change: Change; children: string }) {
  const what = fields.map((field) => texts.fields[field] ?? field).join(', ')
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Badge color={COLORS[change]} variant="light" c="inherit" miw={90} style={{ flexShrink: 0 }}>
        {texts.kinds[change]}
      </Badge>
      <Text size="sm">{what ? `${children}: ${what}` : children}</Text>
    </Group>
  )
}
