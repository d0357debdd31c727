import { Badge, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { CONNECTION_STATUS, type ConnectionStatus } from '@plantroom/contract/values'
import { Empty } from '../../parts/notices.tsx'
import { counted } from '../../parts/value.ts'
import { device as texts } from '../../texts/device.ts'
import type { RowGroup } from './rows.ts'

const MAX_SHOWN = 12

const COLORS: Record<ConnectionStatus, string> = { 1: 'green', 2: 'blue', 0: 'gray', [-1]: 'red' }

/** The links of a device to its equipment; those that are not well come first where there are many. */
export function ConnectionCards({ groups }: { groups: readonly RowGroup[] }) {
  if (groups.length === 0) return <Empty title={texts.noConnections}>{texts.noConnectionsHint}</Empty>
  const isWell = ({ live }: RowGroup) => live?.status === CONNECTION_STATUS.connected
  const inOrder = groups.length <= MAX_SHOWN ? groups : groups.toSorted((a, b) => Number(isWell(a)) - Number(isWell(b)))
  const leftOut = groups.length - MAX_SHOWN
  return (
    <Stack component="section" gap="sm" aria-labelledby="connections">
      <Title order={2} size="h3" id="connections">
        {texts.connections}
      </Title>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
        {inOrder.slice(0, MAX_SHOWN).map(({ connection, systemName, live, rows }) => (
          <Card withBorder padding="sm" key={connection.id}>
            <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
              <div>
                <Text fw={600}>{connection.name}</Text>
                <Text size="sm" c="dimmed">
                  {systemName}, {counted(rows.length, 'datapoint')}
                </Text>
              </div>
              <StatusBadge status={live?.status} />
            </Group>
            {live?.error && (
              <Text size="sm" mt={4} lineClamp={4}>
                {live.error}
              </Text>
            )}
          </Card>
        ))}
      </SimpleGrid>
      {leftOut > 0 && <Text c="dimmed">{texts.moreConnections(counted(leftOut, 'connection'))}</Text>}
    </Stack>
  )
}

export function StatusBadge({ status }: { status: ConnectionStatus | undefined }) {
  return (
    <Badge variant="light" color={status === undefined ? 'gray' : COLORS[status]} style={{ flexShrink: 0 }}>
      {texts.status[status ?? 'unknown']}
    </Badge>
  )
}
