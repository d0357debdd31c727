import { Alert, Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { MAX_REASON } from '@plantroom/contract/fields'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { common } from '../../texts/common.ts'
import { release as texts } from '../../texts/device.ts'
import { format } from '../../texts/format.ts'
import { describeUnanswered, type Silent, type When } from '../describe-hold.ts'
import { Modal } from '../dialogs.tsx'
import { ErrorNotice } from '../notices.tsx'
import { describeRelease, type Extent, type ReleaseTarget, toCancel, usualExtent } from './describe-release.ts'
import { isUncertain } from './is-uncertain.ts'

/** Releases a datapoint. Shows what the equipment returns to before anything is sent. */
export function ReleaseModal({
  target,
  overrideId,
  isCut,
  silent,
  when,
  release,
  onClose,
}: {
  target: ReleaseTarget
  overrideId: string
  /** True when the list of overrides was truncated. */
  isCut: boolean
  /** Who does not answer, if somebody does not. */
  silent: Silent | undefined
  when: When
  /** Resolves to true when the release waits for the controller. */
  release: (overrideId: string, reason: string) => Promise<boolean>
  onClose: () => void
}) {
  const { name, overrides } = target
  const override = overrides.find(({ id }) => id === overrideId)
  const [extent, setExtent] = useState<Extent>(() => usualExtent(override))
  const [reason, setReason] = useState('')
  const isActive = override?.state === 'active'
  const isReleased = extent === 'all' || (isActive && !overrides.some(({ state }) => state === 'superseded'))
  const releasing = useMutation({
    async mutationFn(ids: readonly string[]) {
      let waits = false
      for (const id of ids) waits = (await release(id, reason)) || waits
      return waits
    },
    onSuccess(waits) {
      const done = isReleased ? format(texts.done, { name }) : format(texts.cancelled, { name })
      notifications.show({ message: waits ? texts.waits : done })
      onClose()
    },
  })
  const count = overrides.length
  const all = count === 1 ? texts.action : format(texts.actionAll, { count })
  const action = extent === 'all' ? all : isActive && isReleased ? texts.action : texts.cancelAction

  return (
    <Modal
      opened
      onClose={onClose}
      title={isActive ? format(texts.title, { name }) : format(texts.cancelTitle, { name })}
      centered
    >
      <Stack>
        {silent && <NotLive target={target} silent={silent} when={when} />}
        {override ? (
          describeRelease(target, override, extent, { ...when, isLive: silent === undefined }).map((text) => (
            <Text key={text}>{text}</Text>
          ))
        ) : (
          <Text>{texts.gone}</Text>
        )}
        {override && count > 1 && (
          <Radio.Group label={texts.extent} value={extent} onChange={(chosen) => setExtent(chosen as Extent)}>
            <Stack gap="xs" mt={4}>
              <Radio value="all" label={format(texts.all, { count })} />
              <Radio value="one" label={isActive && !isFree(overrides) ? texts.oneStaysHeld : texts.one} />
            </Stack>
          </Radio.Group>
        )}
        {extent === 'all' && isCut && <Alert color="orange">{texts.leftOut}</Alert>}
        {override && <ReasonInput reason={reason} onChange={setReason} />}
        {releasing.error && <ErrorNotice error={releasing.error} />}
        {isUncertain(releasing.error) && <Text size="sm">{texts.uncertain}</Text>}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {override ? texts.keep : common.close}
          </Button>
          {override && (
            <Button
              color="red.9"
              size="md"
              loading={releasing.isPending}
              onClick={() => releasing.mutate(toCancel(target, overrideId, extent).flatMap(({ id }) => id ?? []))}
            >
              {action}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}

/** What is known while the controller, or the service itself, does not answer. */
function NotLive({ target, silent, when }: { target: ReleaseTarget; silent: Silent; when: When }) {
  const { hold } = target
  return (
    <Alert color="orange" title={silent === 'service' ? texts.lostTitle : texts.offlineTitle}>
      {silent === 'controller' && hold && <Text size="sm">{describeUnanswered(hold, target, when)}</Text>}
      <Text size="sm">{silent === 'controller' ? texts.waits : texts.mayNotArrive}</Text>
    </Alert>
  )
}

/** True when nothing holds the datapoint after the active override. */
const isFree = (overrides: ReleaseTarget['overrides']) => !overrides.some(({ state }) => state === 'superseded')

/** Why something is released, for the audit log. */
export function ReasonInput({ reason, onChange }: { reason: string; onChange: (reason: string) => void }) {
  return (
    <TextInput
      label={texts.reason}
      description={texts.reasonHint}
      value={reason}
      onChange={(event) => onChange(event.currentTarget.value)}
      maxLength={MAX_REASON}
    />
  )
}
