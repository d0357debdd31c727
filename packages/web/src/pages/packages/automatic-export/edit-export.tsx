import { Button, Group, NumberInput, Select, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core'
import {
  type AutomaticExport,
  EXPORT_INTERVALS,
  MAX_EXPORT_TARGETS,
  RETENTION_UNITS,
  type TargetKind,
} from '@plantroom/contract/automatic-exports'
import { WEEKDAYS } from '@plantroom/contract/datapoint'
import { type FormEvent, useState } from 'react'
import { useChange } from '../../../api/use-operation.ts'
import { useSite } from '../../../api/use-site.ts'
import { FormEnd, Modal } from '../../../parts/dialogs.tsx'
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
  const [form, setForm] = useState(() => formOf(stored))
  const [isTried, setIsTried] = useState(false)
  const change = (changes: Partial<ExportForm>) => setForm((before) => ({ ...before, ...changes }))
  const save = useChange('setAutomaticExport', {
    onFresh() {
      onSaved()
      onClose()
    },
  })

  function submit(event: FormEvent): void {
    event.preventDefault()
    setIsTried(true)
    if (!hasErrors(form)) save.mutate({ body: bodyOf(form) })
  }

  return (
    <Modal opened onClose={onClose} size="lg" title={texts.title}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Switch
            label={texts.enabled}
            checked={form.enabled}
            onChange={(event) => change({ enabled: event.currentTarget.checked })}
          />
          <ScheduleFields form={form} change={change} isTried={isTried} />
          <RetentionFields form={form} change={change} isTried={isTried} />
          <TargetList form={form} change={change} isTried={isTried} offered={offered} />
          <FormEnd mutation={save} action={texts.submit} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}

interface Part {
  form: ExportForm
  change: (changes: Partial<ExportForm>) => void
  isTried: boolean
}

function ScheduleFields({ form, change, isTried }: Part) {
  const { site } = useSite()
  const { every } = form
  const errors = errorsOfForm(form)
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        label={texts.every}
        data={EXPORT_INTERVALS.map((value) => ({ value, label: texts.everyOptions[value] }))}
        value={every}
        onChange={(value) => value && change({ every: value })}
        allowDeselect={false}
      />
      {every === 'hours' && (
        <NumberInput
          label={texts.hours}
          value={form.hours}
          onChange={(hours) => change({ hours })}
          min={1}
          max={168}
          allowDecimal={false}
          error={isTried && errors.hours}
        />
      )}
      {every === 'week' && (
        <Select
          label={texts.weekday}
          data={WEEKDAYS.map((value) => ({ value, label: automaticExport.weekday[value] }))}
          value={form.weekday}
          onChange={(value) => value && change({ weekday: value })}
          allowDeselect={false}
        />
      )}
      {every === 'month' && (
        <NumberInput
          label={texts.day}
          description={texts.dayHint}
          inputWrapperOrder={HINT_LAST}
          value={form.day}
          onChange={(day) => change({ day })}
          min={1}
          max={31}
          allowDecimal={false}
          error={isTried && errors.day}
        />
      )}
      {every !== 'hours' && (
        <TextInput
          type="time"
          label={texts.at}
          description={format(texts.atHint, { zone: site.timeZone })}
          inputWrapperOrder={HINT_LAST}
          value={form.at}
          onChange={(event) => change({ at: event.currentTarget.value.slice(0, 5) })}
          error={isTried && errors.at}
        />
      )}
    </SimpleGrid>
  )
}

function RetentionFields({ form, change, isTried }: Part) {
  return (
    <Stack gap={6}>
      <SimpleGrid cols={2}>
        <NumberInput
          label={texts.keep}
          value={form.keep}
          onChange={(keep) => change({ keep })}
          min={1}
          max={1000}
          allowDecimal={false}
          error={isTried && errorsOfForm(form).keep}
        />
        <Select
          label={texts.unit}
          data={RETENTION_UNITS.map((value) => ({ value, label: texts.unitOptions[value] }))}
          value={form.unit}
          onChange={(value) => value && change({ unit: value })}
          allowDeselect={false}
        />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {texts.keepHint}
      </Text>
    </Stack>
  )
}

function TargetList({ form, change, isTried, offered }: Part & { offered: readonly TargetKind[] }) {
  const { targets } = form
  const setTarget = (key: number, changes: Partial<TargetForm>) =>
    change({ targets: targets.map((target) => (target.key === key ? { ...target, ...changes } : target)) })
  const nextKey = Math.max(0, ...targets.map(({ key }) => key)) + 1
  return (
    <>
      {targets.map((target, index) => (
        <TargetFields
          key={target.key}
          target={target}
          number={index + 1}
          offered={offered}
          isTried={isTried}
          onChange={(changes) => setTarget(target.key, changes)}
          onRemove={
            targets.length > 1 ? () => change({ targets: targets.filter(({ key }) => key !== target.key) }) : undefined
          }
        />
      ))}
      {targets.length < MAX_EXPORT_TARGETS && (
        <Group>
          <Button size="xs" variant="default" onClick={() => change({ targets: [...targets, newTarget(nextKey)] })}>
            {texts.addTarget}
          </Button>
        </Group>
      )}
    </>
  )
}
