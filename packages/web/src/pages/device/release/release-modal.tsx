import { Alert, Button, Group, Radio, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { createCommands } from '@plantroom/client/commands'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/service.ts'
import { useSite } from '../../../api/use-site.ts'
import type { When } from '../../../parts/describe-hold.ts'
import { Modal } from '../../../parts/dialogs.tsx'
import { ErrorNotice } from '../../../parts/notices.tsx'
import { common } from '../../../texts/common.ts'
import { release as texts } from '../../../texts/device.ts'
import { format } from '../../../texts/format.ts'
import { isUncertain } from '../override/override-notices.tsx'
import { describeRelease, type Extent, type ReleaseTarget, toCancel } from './describe-release.ts'

/** Ends an override early. Shows what the equipment returns to before anything is sent. */
export function ReleaseModal({
  deviceId,
  target,
  overrideId,
  isCut,
  when,
  onClose,
}: {
  deviceId: string
  target: ReleaseTarget
  overrideId: string
  /** True when the list of overrides was truncated. */
  isCut: boolean
  when: When
  onClose: () => void
}) {
  const { orgId } = useSite()
  const client = useQueryClient()
  const [extent, setExtent] = useState<Extent>('one')
  const { name, overrides } = target
  const override = overrides.find(({ id }) => id === overrideId)
  const isActive = override?.state === 'active'
  const isReleased = extent === 'all' || (isActive && !overrides.some(({ state }) => state === 'superseded'))
  const release = useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (const id of ids) await createCommands(api, { orgId, deviceId }).cancel(id)
    },
    onSuccess() {
      notifications.show({ message: isReleased ? format(texts.done, { name }) : format(texts.cancelled, { name }) })
      void client.invalidateQueries({ queryKey: ['reports', orgId] })
      onClose()
    },
  })
  const count = overrides.length
  const action = extent === 'all' ? format(texts.actionAll, { count }) : isActive ? texts.action : texts.cancelAction

  return (
    <Modal
      opened
      onClose={onClose}
      title={isActive ? format(texts.title, { name }) : format(texts.cancelTitle, { name })}
      centered
    >
      <Stack>
        {override ? (
          describeRelease(target, override, extent, when).map((text) => <Text key={text}>{text}</Text>)
        ) : (
          <Text>{texts.gone}</Text>
        )}
        {override && count > 1 && (
          <Radio.Group label={texts.extent} value={extent} onChange={(chosen) => setExtent(chosen as Extent)}>
            <Stack gap="xs" mt={4}>
              <Radio value="one" label={texts.one} />
              <Radio value="all" label={format(texts.all, { count })} />
            </Stack>
          </Radio.Group>
        )}
        {extent === 'all' && isCut && <Alert color="orange">{texts.leftOut}</Alert>}
        {release.error && <ErrorNotice error={release.error} />}
        {isUncertain(release.error) && <Text size="sm">{texts.uncertain}</Text>}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {override ? texts.keep : common.close}
          </Button>
          {override && (
            <Button
              color="red.9"
              size="md"
              loading={release.isPending}
              onClick={() => release.mutate(toCancel(target, overrideId, extent).flatMap(({ id }) => id ?? []))}
            >
              {action}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}
