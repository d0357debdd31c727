import { Alert, Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { CLOSE_OUTCOMES, type CloseOutcome } from '@plantroom/contract/commands'
import { MAX_REASON } from '@plantroom/contract/fields'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { closeHold as texts } from '../../texts/close-hold.ts'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { describeTrouble, type When } from '../describe-hold.ts'
import { Modal } from '../dialogs.tsx'
import { ErrorNotice } from '../notices.tsx'
import { type CloseTarget, canClose, describeLastRead, describeNotRestored } from './describe-close.ts'

/** Closes a hold that the controller cannot restore. Says what was read last, and that nothing more is written. */
export function CloseHoldModal({
  target,
  isLive,
  closeHold,
  when,
  onClose,
}: {
  target: CloseTarget
  isLive: boolean
  closeHold: (outcome: CloseOutcome, reason: string) => Promise<void>
  when: When & { controllerNow: number }
  onClose: () => void
}) {
  const { name, hold } = target
  const [outcome, setOutcome] = useState<CloseOutcome>()
  const [reason, setReason] = useState('')
  const close = useMutation({
    mutationFn: (chosen: CloseOutcome) => closeHold(chosen, reason.trim()),
    onSuccess() {
      notifications.show({ message: format(texts.done, { name }) })
      onClose()
    },
  })
  const isOpen = hold !== undefined && canClose(hold)

  return (
    <Modal opened onClose={onClose} title={format(texts.title, { name })} centered>
      <Stack>
        {!isLive && <Alert color="orange">{texts.offline}</Alert>}
        {isOpen ? (
          <>
            <div>
              <Text>{describeNotRestored(target)}</Text>
              <Text>{describeTrouble(hold, isLive)}</Text>
              <Text className="figures">{describeLastRead(target, when)}</Text>
            </div>
            <Radio.Group
              label={texts.outcome}
              value={outcome ?? null}
              onChange={(chosen) => setOutcome(chosen as CloseOutcome)}
              withAsterisk
            >
              <Stack gap="xs" mt={4}>
                {CLOSE_OUTCOMES.map((each) => (
                  <Radio key={each} value={each} label={texts.outcomes[each]} description={texts.outcomeHints[each]} />
                ))}
              </Stack>
            </Radio.Group>
            <TextInput
              label={texts.reason}
              description={texts.reasonHint}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
              maxLength={MAX_REASON}
              required
            />
            <Text fw={600}>{texts.nothingWritten}</Text>
          </>
        ) : (
          <Text>{texts.gone}</Text>
        )}
        {close.error && <ErrorNotice error={close.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {isOpen ? common.cancel : common.close}
          </Button>
          {isOpen && (
            <Button
              color="red.9"
              loading={close.isPending}
              disabled={!isLive || outcome === undefined || reason.trim() === ''}
              onClick={() => outcome && close.mutate(outcome)}
            >
              {texts.action}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}
