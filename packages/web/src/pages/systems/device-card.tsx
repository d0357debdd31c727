import { Alert, Badge, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import type { Device } from '@plantroom/contract/api'
import type { Datapoint, TechnicalSystem } from '@plantroom/contract/datapoint'
import { PROTOCOL_LABELS } from '@plantroom/contract/protocols'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../api/service.ts'
import { useTechnicalSystems } from '../../api/use-devices.ts'
import { useSite } from '../../api/use-site.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { CopyId } from '../../parts/copy-id.tsx'
import { Link } from '../../parts/link.tsx'
import { ErrorNotice, QueryView } from '../../parts/notices.tsx'
import { saveAs } from '../../parts/save-as.ts'
import { SmallButton } from '../../parts/small-button.tsx'
import { common } from '../../texts/common.ts'
import { editor } from '../../texts/editor.ts'
import { format } from '../../texts/format.ts'
import { record } from '../../texts/record.ts'
import { replacement } from '../../texts/replacement.ts'
import { systems } from '../../texts/systems.ts'
import { fileNameOf } from './commissioning-file.ts'
import { describeControl } from './describe-system.ts'

/** The actions of an administrator on a controller. */
export type DeviceAction = 'load' | 'versions' | 'renew' | 'replace' | 'remove'

export function DeviceCard({
  device,
  onAction,
}: {
  device: Device
  onAction: (action: DeviceAction, device: Device) => void
}) {
  const { may, path } = useSite()
  const query = useTechnicalSystems(device.id)
  const { name, online, software } = device
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
              {online ? common.online : common.offline}
            </Badge>
            <SoftwareVersion software={software} />
            <Link to={path(`/devices/${device.id}`)}>{systems.toDevice}</Link>
            <CopyId id={device.id} name={name} />
            <Link to={path('/schedules')}>{systems.toSchedules}</Link>
            {may('admin') && (
              <Link
                to={path(`/settings/systems/${device.id}/commission`)}
                aria-label={format(editor.openLabel, { device: name })}
              >
                {editor.open}
              </Link>
            )}
            {may('admin') && (
              <Link
                to={path(`/settings/systems/${device.id}/record`)}
                aria-label={format(record.openLabel, { device: name })}
              >
                {record.open}
              </Link>
            )}
          </Group>
          {may('admin') && (
            <Group gap="xs">
              <Button
                size="xs"
                aria-label={format(systems.load.openLabel, { device: name })}
                onClick={() => onAction('load', device)}
              >
                {systems.load.open}
              </Button>
              <SmallButton
                aria-label={format(systems.versionsLabel, { device: name })}
                onClick={() => onAction('versions', device)}
              >
                {systems.versions}
              </SmallButton>
              <SmallButton aria-label={format(texts.renewLabel, { name })} onClick={() => onAction('renew', device)}>
                {texts.renew}
              </SmallButton>
              <SmallButton
                aria-label={format(replacement.openLabel, { name })}
                onClick={() => onAction('replace', device)}
              >
                {replacement.open}
              </SmallButton>
              <SmallButton aria-label={format(texts.removeLabel, { name })} onClick={() => onAction('remove', device)}>
                {texts.remove}
              </SmallButton>
            </Group>
          )}
        </Group>
        {software?.fits === 'too-old' && <Alert color="red">{replacement.tooOld}</Alert>}
        {software?.fits === 'too-new' && <Alert color="red">{replacement.tooNew}</Alert>}
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

function SoftwareVersion({ software }: Pick<Device, 'software'>) {
  if (!software?.version) return null
  return <Text size="sm">{format(replacement.version, { version: software.version })}</Text>
}

/** One technical system: its connections, schedules and peak shaving. */
function SystemView({ deviceId, system }: { deviceId: string; system: TechnicalSystem }) {
  const { orgId, may } = useSite()
  const download = useMutation({
    mutationFn: () => api.getCommissioningFile({ orgId, deviceId, systemId: system.id }),
    onSuccess: (file) => saveAs(fileNameOf(system.name), `${JSON.stringify(file, null, 2)}\n`),
  })
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={3} size="h5">
          {system.name}
        </Title>
        {may('admin') && (
          <SmallButton
            aria-label={format(systems.downloadLabel, { system: system.name })}
            onClick={() => download.mutate()}
            loading={download.isPending}
          >
            {systems.download}
          </SmallButton>
        )}
      </Group>
      {download.error && <ErrorNotice error={download.error} />}
      <CardTable
        label={format(systems.connectionsLabel, { system: system.name })}
        rows={system.connections}
        keyOf={({ id }) => id}
        framed={false}
        columns={[
          { head: systems.connection, cell: ({ name }) => name },
          { head: systems.protocol, cell: ({ protocol }) => PROTOCOL_LABELS[protocol] },
          {
            head: systems.datapoints,
            cell: ({ datapoints }) => describePoints(datapoints),
          },
        ]}
      />
      {describeControl(system).map((line) => (
        <Text key={line} size="sm">
          {line}
        </Text>
      ))}
    </Stack>
  )
}

function describePoints(datapoints: readonly Datapoint[]): string {
  const writable = datapoints.filter(({ accessType }) => accessType !== 'READ').length
  const count = datapoints.length
  return writable === 0 ? format(systems.pointsReadOnly, { count }) : format(systems.points, { count, writable })
}
