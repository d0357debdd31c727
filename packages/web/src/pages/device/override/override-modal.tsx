import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useId } from 'react'
import type { When } from '../../../parts/describe-hold.ts'
import { Modal } from '../../../parts/dialogs.tsx'
import { common } from '../../../texts/common.ts'
import { override as texts } from '../../../texts/device.ts'
import { format } from '../../../texts/format.ts'
import type { DatapointRow } from '../rows.ts'
import type { LiveState } from '../use-live-state.ts'
import { OverrideFields } from './override-fields.tsx'
import { OutsideNotice, OverlapNotice, RefusalNotice, SendFailure } from './override-notices.tsx'
import { useOverrideForm } from './use-override-form.ts'

type FormState = ReturnType<typeof useOverrideForm>

/** Places an override. Shows what will happen before anything is sent. */
export function OverrideModal({
  deviceId,
  row,
  state,
  when,
  onClose,
}: {
  deviceId: string
  row: DatapointRow
  state: LiveState
  when: When
  onClose: () => void
}) {
  const { name } = row.datapoint
  const consequenceId = useId()
  const clockSuspect = state.device?.clockSuspect === true
  const override = useOverrideForm({
    deviceId,
    row,
    when,
    isBlocked: clockSuspect,
    onPlaced({ startsNow }, message) {
      const title = startsNow ? format(texts.placed, { name }) : format(texts.queued, { name })
      notifications.show({ title, message })
      onClose()
    },
  })
  const { consequence, error, isUnsure, hasArrived } = override

  return (
    <Modal opened onClose={onClose} title={format(texts.title, { name })} size="lg">
      <form onSubmit={override.submit} noValidate>
        <Stack>
          <ControllerWarning state={state} />
          {!isUnsure && <Editor override={override} row={row} when={when} />}
          {consequence && !hasArrived && <Consequence id={consequenceId}>{consequence}</Consequence>}
          {error && !hasArrived && <SendFailure error={error} />}
          {hasArrived && <Arrived />}
          <Actions
            override={override}
            disabled={clockSuspect || override.refusal !== undefined}
            describedBy={consequence ? consequenceId : undefined}
            onClose={onClose}
          />
        </Stack>
      </form>
    </Modal>
  )
}

/** The fields, with notices about the value and about other overrides. */
function Editor({ override, row, when }: { override: FormState; row: DatapointRow; when: When }) {
  const { form, plan, problem, exceeded, refusal, isPending } = override
  return (
    <>
      <OverrideFields
        form={form}
        onChange={override.change}
        problem={problem}
        row={row}
        when={when}
        disabled={isPending}
      />
      {refusal && <RefusalNotice>{refusal}</RefusalNotice>}
      {exceeded && !refusal && (
        <OutsideNotice
          envelope={exceeded}
          unit={row.datapoint.unit}
          agreed={override.agreed}
          onAgree={override.setAgreed}
          isAsked={override.tried}
          disabled={isPending}
        />
      )}
      {plan && !override.isSent && <OverlapNotice row={row} plan={plan} when={when} />}
    </>
  )
}

function Actions({
  override,
  disabled,
  describedBy,
  onClose,
}: {
  override: FormState
  disabled: boolean
  describedBy: string | undefined
  onClose: () => void
}) {
  const { isUnsure, hasArrived, isLater, isPending, startOver } = override
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={isUnsure && !hasArrived ? startOver : onClose}>
        {hasArrived ? common.close : isUnsure ? texts.startOver : common.cancel}
      </Button>
      {!hasArrived && (
        <Button type="submit" loading={isPending} disabled={disabled} aria-describedby={describedBy}>
          {isUnsure ? texts.sendAgain : isLater ? texts.sendLater : texts.send}
        </Button>
      )}
    </Group>
  )
}

function ControllerWarning({ state }: { state: LiveState }) {
  if (state.device?.clockSuspect) return <Alert color="red">{texts.clockSuspect}</Alert>
  return state.isLost && <Alert color="orange">{texts.offline}</Alert>
}

function Consequence({ id, children }: { id: string; children: string }) {
  return (
    <Alert variant="outline" color="cyan" title={texts.consequence}>
      <Text id={id} className="figures">
        {children}
      </Text>
    </Alert>
  )
}

function Arrived() {
  return (
    <Alert color="green" role="alert" title={texts.arrivedTitle}>
      {texts.arrived}
    </Alert>
  )
}
