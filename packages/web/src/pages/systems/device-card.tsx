import { Badge, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import type { ListedDevice } from '@plantroom/client/admin'
import { useTechnicalSystems } from '../../api/use-devices.ts'
import { useSite } from '../../api/use-site.ts'
import { Link } from '../../parts/link.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { systems } from '../../texts/systems.ts'
import { SystemView } from './system-view.tsx'

/** What an administrator may do with a device. */
export type DeviceAction = 'load' | 'renew' | 'remove'

export function DeviceCard({
  device,
  onAction,
}: {
  device: ListedDevice
  onAction: (action: DeviceAction, device: ListedDevice) => void
}) {
  const { may, path } = useSite()
  const query = useTechnicalSystems(device.id)
  const { name, online } = device
  const texts = systems.device
  return (
    <Card withBorder component="section" aria-label={name}>
      <Stack>
        <Group justify="space-between">
          <Group gap="sm">
            <Title order={2} size="h3">
              {name}
            </Title>
            <Badge variant="outline" color={online ? 'green' : 'gray'} c="inherit">
              {online ? systems.online : systems.offline}
            </Badge>
            <Link to={path(`/devices/${device.id}`)}>{systems.toDevice}</Link>
          </Group>
          {may('admin') && (
            <Group gap="xs">
              <Button size="xs" aria-label={systems.load.openLabel(name)} onClick={() => onAction('load', device)}>
                {systems.load.open}
              </Button>
              <Button
                size="xs"
                variant="default"
                aria-label={texts.renewLabel(name)}
                onClick={() => onAction('renew', device)}
              >
                {texts.renew}
              </Button>
              <Button
                size="xs"
                variant="default"
                aria-label={texts.removeLabel(name)}
                onClick={() => onAction('remove', device)}
              >
                {texts.remove}
              </Button>
            </Group>
          )}
        </Group>
        <QueryView query={query}>
          {(found) =>
            found.length === 0 ? (
              <Text>{systems.nothing}</Text>
            ) : (
              <Stack gap="lg">
                {found.map((system) => (
                  <SystemView key={system.id} deviceId={device.id} system={system} />
                ))}
              </Stack>
            )
          }
        </QueryView>
      </Stack>
    </Card>
  )
}
