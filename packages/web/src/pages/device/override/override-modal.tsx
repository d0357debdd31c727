import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type FormEvent, useId, useState } from 'react'
import type { When } from '../../../parts/describe-hold.ts'
import { common } from '../../../texts/common.ts'
import { override as texts } from '../../../texts/device.ts'
import { format } from '../../../texts/format.ts'
import type { DatapointRow } from '../rows.ts'
import type { LiveState } from '../use-live-state.ts'
import { describeConsequence, isOutside } from './describe-override.ts'
import { OverrideFields } from './override-fields.tsx'
import { OutsideNotice, OverlapNotice, SendFailure } from './override-notices.tsx'
import { numberOf, type OverrideForm, planOf } from './plan.ts'
import { useOverride } from './use-override.ts'

const EMPTY: OverrideForm = { value: '', start: 'now', startAt: '', length: '60', endAt: '' }

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
  const { id, name, writeInputData: envelope } = row.datapoint
  const [form, setForm] = useState(EMPTY)
  const [agreed, setAgreed] = useState(false)
  const [tried, setTried] = useState(false)
  const consequenceId = useId()
  const override = useOverride(deviceId, id, ({ startsNow }) => {
    notifications.show({
      title: startsNow ? format(texts.placed, { name }) : format(texts.queued, { name }),
      message: consequence,
    })
    onClose()
  })
  const { sent, isUnsure } = override
  const { plan: typed, problem } = planOf(form, when)
  const plan = sent ?? typed
  const consequence = plan && describeConsequence(row, plan, when)
  const value = numberOf(form.value)
  const outside = value !== undefined && isOutside(value, envelope)
  const isLater = plan ? !plan.startsNow : form.start === 'at'
  const clockSuspect = state.device?.clockSuspect === true
  // The reply was lost, but the override is in the list.
  const hasArrived = isUnsure && row.overrides.some(({ reqId }) => reqId === override.reqId)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (override.isPending || clockSuspect) return
    setTried(true)
    if (sent) override.send(sent)
    else if (typed && (!outside || agreed)) override.send(typed)
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={format(texts.title, { name })}
      size="lg"
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <ControllerWarning state={state} />
          {!isUnsure && (
            <>
              <OverrideFields
                form={form}
                onChange={(changes) => {
                  setForm((before) => ({ ...before, ...changes }))
                  if ('value' in changes) setAgreed(false)
                }}
                problem={problem && (tried || !problem.missing) ? problem : undefined}
                row={row}
                when={when}
                disabled={override.isPending}
              />
              {outside && envelope && (
                <OutsideNotice
                  envelope={envelope}
                  agreed={agreed}
                  onAgree={setAgreed}
                  isAsked={tried}
                  disabled={override.isPending}
                />
              )}
              {plan && !sent && <OverlapNotice row={row} plan={plan} when={when} />}
            </>
          )}
          {consequence && !hasArrived && <Consequence id={consequenceId}>{consequence}</Consequence>}
          {override.error && !hasArrived && <SendFailure error={override.error} />}
          {hasArrived && <Arrived />}
          <Group justify="flex-end">
            <Button variant="default" onClick={isUnsure && !hasArrived ? override.startOver : onClose}>
              {hasArrived ? common.close : isUnsure ? texts.startOver : common.cancel}
            </Button>
            {!hasArrived && (
              <Button
                type="submit"
                loading={override.isPending}
                disabled={clockSuspect}
                aria-describedby={consequence ? consequenceId : undefined}
              >
                {isUnsure ? texts.sendAgain : isLater ? texts.sendLater : texts.send}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Modal>
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
