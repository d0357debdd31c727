import { Alert, Button, FileButton, Group, Modal, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ListedDevice } from '@plantroom/client/admin'
import type { CommissioningFile } from '@plantroom/contract/commissioning'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { administration } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import { common } from '../../texts/common.ts'
import { systems } from '../../texts/systems.ts'
import { ChangesView } from './changes-view.tsx'
import { type CommissioningChanges, changesOf } from './commissioning-changes.ts'
import { LoadProblems } from './load-problems.tsx'
import { readCommissioningFile } from './read-file.ts'

const texts = systems.load

interface ReadFile {
  file: CommissioningFile
  changes: CommissioningChanges
}

/** Loads a commissioning file onto a device, after it was shown what that changes. */
export function LoadFile({ device, onClose }: { device: ListedDevice; onClose: () => void }) {
  const { orgId } = useSite()
  const client = useQueryClient()
  const read = useMutation({ mutationFn: (chosen: File) => readWithChanges(orgId, device.id, chosen) })
  const load = useMutation({
    mutationFn: ({ file }: ReadFile) => administration.commission(orgId, device.id, file),
    async onSuccess({ warnings }, { file, changes }) {
      await client.invalidateQueries({ queryKey: ['technical-systems', orgId, device.id] })
      const done = changes.system === 'removed' ? texts.gone : texts.done
      notifications.show({ message: done(file.technicalSystem) })
      if (warnings) notifications.show({ ...texts.warned(warnings), color: 'orange', autoClose: false })
      onClose()
    },
  })

  const forget = useRef<() => void>(null)
  function choose(chosen: File | null): void {
    if (!chosen) return
    // The same file, mended, would be no change to the browser.
    forget.current?.()
    load.reset()
    read.mutate(chosen)
  }

  const ready = read.data
  const isToDo = ready && ready.changes.system !== 'same' && ready.changes.system !== 'absent'
  return (
    <Modal
      opened
      onClose={onClose}
      title={texts.title(device.name)}
      size="lg"
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <Stack>
        <Text size="sm">{texts.hint}</Text>
        {!device.online && <Alert color="orange" variant="light" role="status" title={texts.offlineNow} />}
        <Group>
          <FileButton resetRef={forget} onChange={choose} inputProps={{ 'aria-label': texts.input }}>
            {(props) => (
              <Button {...props} variant={ready ? 'default' : 'filled'} loading={read.isPending} data-autofocus>
                {ready ? texts.another : texts.choose}
              </Button>
            )}
          </FileButton>
          {read.variables && <Text size="sm">{read.variables.name}</Text>}
        </Group>
        {read.error && <LoadProblems error={read.error} />}
        {ready && <ChangesView system={ready.file.technicalSystem} changes={ready.changes} />}
        {load.error && <LoadProblems error={load.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          {isToDo && (
            <Button
              color={ready.changes.system === 'removed' ? 'red' : undefined}
              onClick={() => load.mutate(ready)}
              loading={load.isPending}
            >
              {ready.changes.system === 'removed' ? texts.remove : texts.submit}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}

async function readWithChanges(orgId: string, deviceId: string, chosen: File): Promise<ReadFile> {
  const file = await readCommissioningFile(chosen)
  const loaded = await administration.technicalSystems(orgId, deviceId)
  const before = loaded.find(({ name }) => name === file.technicalSystem)
  const now = before && (await administration.commissioningFile(orgId, deviceId, before.id))
  return { file, changes: changesOf(now, file) }
}
