import { Select, Stack, Text, Textarea, Title } from '@mantine/core'
import type { Alert, AlertStep } from '@plantroom/contract/alerts'
import { invalidate, useChange, useOperation } from '../../api/use-operation.ts'
import { useSite } from '../../api/use-site.ts'
import { describeAlert } from '../../parts/describe-alert.ts'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { QueryView } from '../../parts/notices.tsx'
import { NameSelect, named } from '../../parts/selects.tsx'
import { fullTime } from '../../parts/time.ts'
import { useForm } from '../../parts/use-form.ts'
import { serviceNow } from '../../service-clock.ts'
import { alertSteps, alertWork as texts } from '../../texts/alert-work.ts'
import { format } from '../../texts/format.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const KEEP = 'keep'
const END = 'end'
const SNOOZES = { 1: texts.hour, 8: texts.hours8, 24: texts.day, 168: texts.week } as const

/** Assigns and snoozes an alert, takes a note, and shows what was done. */
export function AlertDialog({ alert, onClose }: { alert: Alert; onClose: () => void }) {
  const known = useOperation('getAlert', { alertId: alert.id })
  const change = useChange('changeAlert', {
    async onSuccess() {
      await invalidate('listAlerts')
      onClose()
    },
  })
  const form = useForm(change, () => ({ assignee: alert.assignee, snooze: KEEP, note: '' }))
  const isSnoozed = alert.snoozedUntil !== null
  const choices = [
    { value: KEEP, label: isSnoozed ? texts.keepSnooze : texts.noSnooze },
    ...(isSnoozed ? [{ value: END, label: texts.endSnooze }] : []),
    ...Object.entries(SNOOZES).map(([hours, label]) => ({ value: hours, label })),
  ]
  return (
    <DialogForm
      form={form}
      onClose={onClose}
      title={describeAlert(alert)}
      action={texts.save}
      onSubmit={({ assignee, snooze, note }) => {
        const until = snooze === END ? null : snoozeEnd(Number(snooze))
        const body = {
          ...(assignee !== alert.assignee && { assignee }),
          ...(snooze !== KEEP && { snoozedUntil: until }),
          ...(note !== '' && { note }),
        }
        if (Object.keys(body).length === 0) onClose()
        else change.mutate({ alertId: alert.id, body })
      }}
    >
      <NameSelect
        label={texts.assignee}
        placeholder={texts.unassigned}
        choices={(known.data?.assignable ?? []).map(named)}
        {...form.choice('assignee')}
      />
      <Select
        label={texts.snooze}
        description={texts.snoozeHint}
        data={choices}
        allowDeselect={false}
        value={form.values.snooze}
        onChange={(snooze) => snooze !== null && form.set({ snooze })}
      />
      <Textarea label={texts.note} {...form.text('note')} autosize minRows={2} maxRows={8} />
      <QueryView query={known}>{({ steps }) => <Steps steps={steps} />}</QueryView>
    </DialogForm>
  )
}

/** Rounds up to a whole minute, which is easier to read. */
function snoozeEnd(hours: number): string {
  const minutes = Math.ceil((serviceNow() + hours * HOUR_MS) / MINUTE_MS)
  return new Date(minutes * MINUTE_MS).toISOString()
}

function Steps({ steps }: { steps: readonly AlertStep[] }) {
  const { site } = useSite()
  if (steps.length === 0) return null
  const textOf = ({ step, text }: AlertStep) =>
    format(alertSteps[step] as '{text}', {
      text: step === 'snoozed' && text ? fullTime(text, site.timeZone) : (text ?? ''),
    })
  return (
    <Stack component="section" gap={4}>
      <Title order={3} size="h5">
        {texts.done}
      </Title>
      {steps.map((one, index) => (
        <Text key={String(index)} size="sm">
          {fullTime(one.at, site.timeZone)}, {one.by}: {textOf(one)}
        </Text>
      ))}
    </Stack>
  )
}
