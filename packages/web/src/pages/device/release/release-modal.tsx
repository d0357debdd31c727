import { Alert, Button, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { commandsOf } from '../../../api/service.ts'
import { useSite } from '../../../api/use-site.ts'
import type { When } from '../../../parts/hold-words.ts'
import { ErrorNotice } from '../../../parts/notices.tsx'
import { common } from '../../../texts/common.ts'
import { release as texts } from '../../../texts/device.ts'
import { isUncertain } from '../override/is-uncertain.ts'
import { type Extent, type ReleaseTarget, releaseWords, toCancel } from './release-words.ts'

/** Ends a window before its time. Says what the equipment goes back to before it does. */
export function ReleaseModal({
  deviceId,
  target,
  windowId,
  isCut,
  when,
  onClose,
}: {
  deviceId: string
  target: ReleaseTarget
  windowId: string
  /** The device holds more overrides than it tells. */
  isCut: boolean
  when: When
  onClose: () => void
}) {
  const { orgId } = useSite()
  const client = useQueryClient()
  const [extent, setExtent] = useState<Extent>('one')
  const { name, overrides } = target
  const window = overrides.find(({ id }) => id === windowId)
  const isRuling = window?.state === 'active'
  const isLetGo = extent === 'all' || (isRuling && !overrides.some(({ state }) => state === 'superseded'))
  const release = useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (const id of ids) await commandsOf(orgId, deviceId).cancel(id)
    },
    onSuccess() {
      notifications.show({ message: isLetGo ? texts.done(name) : texts.cancelled(name) })
      void client.invalidateQueries({ queryKey: ['reports', orgId] })
      onClose()
    },
  })
  const count = overrides.length
  const action = extent === 'all' ? texts.actionAll(count) : isRuling ? texts.action : texts.cancelAction

  return (
    <Modal
      opened
      onClose={onClose}
      title={isRuling ? texts.title(name) : texts.cancelTitle(name)}
      centered
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <Stack>
        {window ? (
          releaseWords(target, window, extent, when).map((words) => <Text key={words}>{words}</Text>)
        ) : (
          <Text>{texts.gone}</Text>
        )}
        {window && count > 1 && (
          <Radio.Group label={texts.extent} value={extent} onChange={(chosen) => setExtent(chosen as Extent)}>
            <Stack gap="xs" mt={4}>
              <Radio value="one" label={texts.one} />
              <Radio value="all" label={texts.all(count)} />
            </Stack>
          </Radio.Group>
        )}
        {extent === 'all' && isCut && <Alert color="orange">{texts.leftOut}</Alert>}
        {release.error && <ErrorNotice error={release.error} />}
        {isUncertain(release.error) && <Text size="sm">{texts.uncertain}</Text>}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {window ? texts.keep : common.close}
          </Button>
          {window && (
            <Button
              color="red.9"
              size="md"
              loading={release.isPending}
              onClick={() => release.mutate(toCancel(target, window.id, extent).map(({ id }) => id))}
            >
              {action}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}
