import { Button, Group, NumberInput, Select, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core'
import {
  type AutomaticExport,
  EXPORT_INTERVALS,
  MAX_EXPORT_TARGETS,
  RETENTION_UNITS,
  type TargetKind,
} from '@plantroom/contract/automatic-exports'
import { WEEKDAYS } from '@plantroom/contract/datapoint'
import { useChange } from '../../../api/use-operation.ts'
import { useSite } from '../../../api/use-site.ts'
import { DialogForm } from '../../../parts/dialog-form.tsx'
import { type Form, useForm } from '../../../parts/use-form.ts'
import { automaticExport } from '../../../texts/automatic-export.ts'
import { format } from '../../../texts/format.ts'
import { bodyOf, type ExportForm, errorsOfForm, formOf, hasErrors, newTarget, type TargetForm } from './export-form.ts'
import { TargetFields } from './target-fields.tsx'

const texts = automaticExport.form
/** Keeps the fields of a row on one line, with or without a hint. */
const HINT_LAST: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']

/** A form for the schedule, the targets and the retention. */
export function EditExport({
  stored,
  offered,
  onClose,
  onSaved,
}: {
  stored: AutomaticExport | null
  offered: readonly TargetKind[]
  onClose: () => void
  onSaved: () => void
}) {
  const save = useChange('setAutomaticExport', {
    onFresh() {
      onSaved()
      onClose()
    },
  })

  const form = useForm(
    save,
    () => formOf(stored),
    (filled) => ({ ...errorsOfForm(filled), targets: hasErrors(filled) && texts.title }),
  )
  return (
    <DialogForm
      form={form}
      title={texts.title}
      action={texts.submit}
      size="lg"
      onClose={onClose}
      onSubmit={(filled) => save.mutate({ body: bodyOf(filled) })}
    >
      <Switch label={texts.enabled} {...form.check('enabled')} />
      <ScheduleFields form={form} />
      <RetentionFields form={form} />
      <TargetList form={form} offered={offered} />
    </DialogForm>
  )
}

interface Part {
  form: Form<ExportForm>
}

function ScheduleFields({ form }: Part) {
  const { site } = useSite()
  const { every } = form.values
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        label={texts.every}
        data={EXPORT_INTERVALS.map((value) => ({ value, label: texts.everyOptions[value] }))}
        value={every}
        onChange={(value) => value && form.set({ every: value })}
        allowDeselect={false}
      />
      {every === 'hours' && (
        <NumberInput label={texts.hours} {...form.choice('hours')} min={1} max={168} allowDecimal={false} />
      )}
      {every === 'week' && (
        <Select
          label={texts.weekday}
          data={WEEKDAYS.map((value) => ({ value, label: automaticExport.weekday[value] }))}
          value={form.values.weekday}
          onChange={(value) => value && form.set({ weekday: value })}
          allowDeselect={false}
        />
      )}
      {every === 'month' && (
        <NumberInput
          label={texts.day}
          description={texts.dayHint}
          inputWrapperOrder={HINT_LAST}
          {...form.choice('day')}
          min={1}
          max={31}
          allowDecimal={false}
        />
      )}
      {every !== 'hours' && (
        <TextInput
          type="time"
          label={texts.at}
          description={format(texts.atHint, { zone: site.timeZone })}
          inputWrapperOrder={HINT_LAST}
          value={form.values.at}
          onChange={(event) => form.set({ at: event.currentTarget.value.slice(0, 5) })}
          error={form.errorOf('at')}
        />
      )}
    </SimpleGrid>
  )
}

function RetentionFields({ form }: Part) {
  return (
    <Stack gap={6}>
      <SimpleGrid cols={2}>
        <NumberInput label={texts.keep} {...form.choice('keep')} min={1} max={1000} allowDecimal={false} />
        <Select
          label={texts.unit}
          data={RETENTION_UNITS.map((value) => ({ value, label: texts.unitOptions[value] }))}
          value={form.values.unit}
          onChange={(value) => value && form.set({ unit: value })}
          allowDeselect={false}
        />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {texts.keepHint}
      </Text>
    </Stack>
  )
}

function TargetList({ form, offered }: Part & { offered: readonly TargetKind[] }) {
  const { targets } = form.values
  const setTarget = (key: number, changes: Partial<TargetForm>) =>
    form.set({ targets: targets.map((target) => (target.key === key ? { ...target, ...changes } : target)) })
  const nextKey = Math.max(0, ...targets.map(({ key }) => key)) + 1
  return (
    <>
      {targets.map((target, index) => (
        <TargetFields
          key={target.key}
          target={target}
          number={index + 1}
          offered={offered}
          isTried={form.isTried}
          onChange={(changes) => setTarget(target.key, changes)}
          onRemove={
            targets.length > 1
              ? () => form.set({ targets: targets.filter(({ key }) => key !== target.key) })
              : undefined
          }
        />
      ))}
      {targets.length < MAX_EXPORT_TARGETS && (
        <Group>
          <Button size="xs" variant="default" onClick={() => form.set({ targets: [...targets, newTarget(nextKey)] })}>
            {texts.addTarget}
          </Button>
        </Group>
      )}
    </>
  )
}
