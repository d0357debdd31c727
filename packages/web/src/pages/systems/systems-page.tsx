import { Button, Stack } from '@mantine/core'
import type { Device } from '@plantroom/contract/api'
import { useState } from 'react'
import { useDevices } from '../../api/use-devices.ts'
import { useSite } from '../../api/use-site.ts'
import { Empty, QueryView } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { systems } from '../../texts/systems.ts'
import { AddDevice, DeviceSecret, type DeviceWithSecret } from './add-device.tsx'
import { type DeviceAction, DeviceCard } from './device-card.tsx'
import { RemoveDevice, RenewSecret } from './device-dialogs.tsx'
import { LoadFile } from './load-file.tsx'
import { ReplaceDevice } from './replace-device.tsx'
import { Versions } from './versions.tsx'

/** The controllers of the site with their technical systems. */
export function SystemsPage() {
  const { may } = useSite()
  const devices = useDevices()
  const [dialog, setDialog] = useState<{ action: DeviceAction | 'add'; device?: Device }>()
  const [secret, setSecret] = useState<DeviceWithSecret>()
  // Use the current state: the controller may have come online since the click.
  const device = devices.data?.find(({ id }) => id === dialog?.device?.id) ?? dialog?.device
  const deviceFor = (action: DeviceAction) => (dialog?.action === action ? device : undefined)
  const toLoad = deviceFor('load')
  const ofVersions = deviceFor('versions')
  const toReplace = deviceFor('replace')

  function close(): void {
    setDialog(undefined)
  }
  function showSecret(made: DeviceWithSecret): void {
    close()
    setSecret(made)
  }

  return (
    <>
      <PageHead
        title={systems.title}
        actions={may('admin') && <Button onClick={() => setDialog({ action: 'add' })}>{systems.device.add}</Button>}
      >
        {systems.intro} {!may('admin') && systems.forAdmins}
      </PageHead>
      <QueryView query={devices}>
        {(found) =>
          found.length === 0 ? (
            <Empty title={systems.noDevices}>{may('admin') ? systems.noDevicesAdmin : systems.noDevicesHint}</Empty>
          ) : (
            <Stack>
              {found.map((one) => (
                <DeviceCard key={one.id} device={one} onAction={(action, of) => setDialog({ action, device: of })} />
              ))}
            </Stack>
          )
        }
      </QueryView>
      {dialog?.action === 'add' && <AddDevice onClose={close} onAdded={showSecret} />}
      {toLoad && <LoadFile device={toLoad} onClose={close} />}
      {ofVersions && <Versions device={ofVersions} onClose={close} />}
      <RenewSecret device={deviceFor('renew')} onClose={close} onRenewed={showSecret} />
      {toReplace && <ReplaceDevice device={toReplace} onClose={close} onReplaced={showSecret} />}
      <RemoveDevice device={deviceFor('remove')} onClose={close} />
      {secret && <DeviceSecret device={secret} onClose={() => setSecret(undefined)} />}
    </>
  )
}
