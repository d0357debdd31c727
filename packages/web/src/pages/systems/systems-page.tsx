import { Button, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ListedDevice } from '@plantroom/client/admin'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { administration } from '../../api/service.ts'
import { useDevices } from '../../api/use-devices.ts'
import { useSite } from '../../api/use-site.ts'
import { Confirm } from '../../parts/dialogs.tsx'
import { Empty, QueryView } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { format } from '../../texts/format.ts'
import { systems } from '../../texts/systems.ts'
import { AddDevice, DeviceSecret, type DeviceWithSecret } from './add-device.tsx'
import { type DeviceAction, DeviceCard } from './device-card.tsx'
import { LoadFile } from './load-file.tsx'

const texts = systems.device

/** The controllers of the site with their technical systems. */
export function SystemsPage() {
  const { orgId, may } = useSite()
  const client = useQueryClient()
  const devices = useDevices()
  const [asked, setAsked] = useState<{ action: DeviceAction | 'add'; device?: ListedDevice }>()
  const [secret, setSecret] = useState<DeviceWithSecret>()
  // Use the current state: the controller may have come online since the click.
  const device = devices.data?.find(({ id }) => id === asked?.device?.id) ?? asked?.device

  const renew = useMutation({
    mutationFn: ({ id }: ListedDevice) => administration.renewCredential(orgId, id),
    onSuccess(made, { name }) {
      close()
      setSecret({ ...made, name })
    },
  })
  const remove = useMutation({
    mutationFn: ({ id }: ListedDevice) => administration.removeDevice(orgId, id),
    async onSuccess(_done, { name }) {
      await client.invalidateQueries({ queryKey: ['devices', orgId] })
      close()
      notifications.show({ message: format(texts.removed, { name }) })
    },
  })
  function close(): void {
    setAsked(undefined)
    renew.reset()
    remove.reset()
  }

  return (
    <>
      <PageHead
        title={systems.title}
        actions={may('admin') && <Button onClick={() => setAsked({ action: 'add' })}>{texts.add}</Button>}
      >
        {systems.intro} {!may('admin') && systems.forAdmins}
      </PageHead>
      <QueryView query={devices}>
        {(found) =>
          found.length === 0 ? (
            <Empty title={systems.noDevices}>{systems.noDevicesHint}</Empty>
          ) : (
            <Stack>
              {found.map((one) => (
                <DeviceCard key={one.id} device={one} onAction={(action, of) => setAsked({ action, device: of })} />
              ))}
            </Stack>
          )
        }
      </QueryView>
      {asked?.action === 'add' && (
        <AddDevice
          onClose={close}
          onAdded={(added) => {
            close()
            setSecret(added)
          }}
        />
      )}
      {asked?.action === 'load' && device && <LoadFile device={device} onClose={close} />}
      {secret && <DeviceSecret device={secret} onClose={() => setSecret(undefined)} />}
      <Confirm
        opened={asked?.action === 'renew'}
        onClose={close}
        title={format(texts.renewTitle, { name: device?.name ?? '' })}
        action={texts.renewAction}
        mutation={renew}
        onConfirm={() => device && renew.mutate(device)}
      >
        <Text>{texts.renewConsequence}</Text>
      </Confirm>
      <Confirm
        opened={asked?.action === 'remove'}
        onClose={close}
        title={format(texts.removeTitle, { name: device?.name ?? '' })}
        action={texts.removeAction}
        mutation={remove}
        onConfirm={() => device && remove.mutate(device)}
      >
        <Text>{texts.removeConsequence}</Text>
      </Confirm>
    </>
  )
}
