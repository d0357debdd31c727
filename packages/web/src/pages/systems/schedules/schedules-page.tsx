import { Alert, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import type { Device } from '@plantroom/contract/api'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { useState } from 'react'
import { Link } from 'wouter'
import { useDevices, useTechnicalSystems } from '../../../api/use-devices.ts'
import { useSite } from '../../../api/use-site.ts'
import { Empty, QueryView } from '../../../parts/notices.tsx'
import { PageHead } from '../../../parts/page-head.tsx'
import { SmallButton } from '../../../parts/small-button.tsx'
import { format } from '../../../texts/format.ts'
import { schedules as texts } from '../../../texts/schedules.ts'
import { Versions } from '../versions.tsx'
import { SystemControl } from './system-control.tsx'

/** What every controller of the site does by itself. Administrators edit it here. */
export function SchedulesPage() {
  const { site } = useSite()
  const devices = useDevices()
  const [shown, setShown] = useState<{ device: Device; system: TechnicalSystem }>()
  return (
    <>
      <PageHead title={texts.title}>{format(texts.intro, { zone: site.timeZone })}</PageHead>
      <Stack>
        <Alert variant="light" color="gray">
          {texts.order}
        </Alert>
        <QueryView query={devices}>
          {(found) =>
            found.length === 0 ? (
              <Empty title={texts.noDevices} />
            ) : (
              found.map((device) => (
                <DeviceSystems key={device.id} device={device} onVersions={(system) => setShown({ device, system })} />
              ))
            )
          }
        </QueryView>
      </Stack>
      {shown && <Versions {...shown} onClose={() => setShown(undefined)} />}
    </>
  )
}

function DeviceSystems({ device, onVersions }: { device: Device; onVersions: (system: TechnicalSystem) => void }) {
  const systems = useTechnicalSystems(device.id)
  return (
    <QueryView query={systems}>
      {(found) =>
        found.length === 0 ? (
          <Card withBorder>
            <Title order={2} size="h4">
              {device.name}
            </Title>
            <Text>{texts.noSystems}</Text>
          </Card>
        ) : (
          found.map((system) => (
            <SystemCard key={system.id} device={device} system={system} onVersions={() => onVersions(system)} />
          ))
        )
      }
    </QueryView>
  )
}

function SystemCard({
  device,
  system,
  onVersions,
}: {
  device: Device
  system: TechnicalSystem
  onVersions: () => void
}) {
  const { may, path } = useSite()
  const { name } = system
  return (
    <Card withBorder component="section" aria-label={format(texts.system, { system: name, device: device.name })}>
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4">
            {format(texts.system, { system: name, device: device.name })}
          </Title>
          {may('admin') && (
            <Group gap="xs">
              <Button
                size="xs"
                component={Link}
                href={path(`/schedules/${device.id}/${system.id}`)}
                aria-label={format(texts.editLabel, { system: name })}
              >
                {texts.edit}
              </Button>
              <SmallButton aria-label={format(texts.versionsLabel, { system: name })} onClick={onVersions}>
                {texts.versions}
              </SmallButton>
            </Group>
          )}
        </Group>
        <SystemControl system={system} />
      </Stack>
    </Card>
  )
}
