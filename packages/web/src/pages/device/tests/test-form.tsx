import { Checkbox, NumberInput, Select } from '@mantine/core'
import type { Device, MeterSign } from '@plantroom/contract/api'
import { isBounded } from '@plantroom/contract/datapoint'
import { MAX_TEST_SECONDS, MIN_TEST_SECONDS } from '@plantroom/contract/output-test'
import { useChange } from '../../../api/use-operation.ts'
import { DialogForm } from '../../../parts/dialog-form.tsx'
import { useForm } from '../../../parts/use-form.ts'
import { shownRange, shownValue } from '../../../parts/value.ts'
import { format, formatNumber } from '../../../texts/format.ts'
import { outputTests as texts } from '../../../texts/output-tests.ts'
import { findRow, type RowGroup } from '../rows.ts'
import type { TestChoice } from './describe-test.ts'

const USUAL_SECONDS = 30
const SECONDS = { min: formatNumber(MIN_TEST_SECONDS), max: formatNumber(MAX_TEST_SECONDS) }

/** Chooses what to test. The controller checks whether the output is free and back on time. */
export function TestForm({
  device,
  groups,
  meters,
  choice,
  onStarted,
  onClose,
}: {
  device: Device
  groups: readonly RowGroup[]
  meters: readonly MeterSign[]
  choice: TestChoice
  onStarted: (testId: string) => void
  onClose: () => void
}) {
  const start = useChange('testOutput', { onFresh: ({ id }) => onStarted(id) })
  const form = useForm(
    start,
    {
      datapointId: choice.datapointId ?? null,
      meterId: choice.meterId ?? null,
      value: '' as number | string,
      seconds: USUAL_SECONDS as number | string,
      isAgreed: false,
    },
    ({ datapointId, value, seconds, isAgreed }) => ({
      datapointId: datapointId === null && texts.needsOutput,
      value: typeof value !== 'number' && texts.needsValue,
      seconds: !isSeconds(seconds) && format(texts.needsSeconds, SECONDS),
      isAgreed: !isAgreed && texts.needsAgreement,
    }),
  )
  const { datapointId, meterId } = form.values
  const row = findRow(groups, datapointId)
  const { unit, writeInputData: envelope } = row?.datapoint ?? {}
  const current = row?.value?.value
  const hints = [
    isBounded(envelope) && format(texts.range, shownRange(envelope, unit)),
    typeof current === 'number' && format(texts.now, { value: shownValue(current, unit) }),
  ].filter((hint) => typeof hint === 'string')

  function choose(chosen: string | null): void {
    const meter = meters.find(({ loads }) => loads.some(({ id }) => id === chosen))?.meter.id
    form.set({ datapointId: chosen, ...(meter !== undefined && meterId === null && { meterId: meter }) })
  }

  return (
    <DialogForm
      form={form}
      title={format(texts.dialog, { device: device.name })}
      size="lg"
      action={texts.start}
      failed={texts.failed}
      onClose={onClose}
      onSubmit={({ datapointId, value, seconds, meterId }) =>
        start.mutate({
          deviceId: device.id,
          body: {
            datapointId: datapointId ?? '',
            value: Number(value),
            seconds: Number(seconds),
            ...(meterId !== null && { meterId }),
          },
        })
      }
    >
      <Select
        label={texts.output}
        data={choicesOf(groups, ({ isWritable }) => isWritable)}
        {...form.choice('datapointId')}
        onChange={choose}
        searchable
        required
      />
      <NumberInput
        label={unit === undefined ? texts.value : format(texts.valueIn, { unit })}
        description={hints.join(' ')}
        {...form.choice('value')}
        clampBehavior="none"
        inputMode="decimal"
        required
      />
      <NumberInput
        label={texts.seconds}
        description={format(texts.secondsHint, SECONDS)}
        {...form.choice('seconds')}
        clampBehavior="none"
        allowDecimal={false}
        inputMode="numeric"
        required
      />
      <Select
        label={texts.meter}
        description={texts.meterHint}
        data={choicesOf(groups, ({ datapoint }) => datapoint.accessType !== 'WRITE' && datapoint.id !== datapointId)}
        {...form.choice('meterId')}
        searchable
        clearable
      />
      <Checkbox label={texts.agree} {...form.check('isAgreed')} error={form.errorOf('isAgreed')} />
    </DialogForm>
  )
}

const isSeconds = (seconds: number | string) =>
  Number.isInteger(seconds) && Number(seconds) >= MIN_TEST_SECONDS && Number(seconds) <= MAX_TEST_SECONDS

function choicesOf(groups: readonly RowGroup[], isChoice: (row: RowGroup['rows'][number]) => boolean) {
  return groups
    .map(({ connection, rows }) => ({
      group: connection.name,
      items: rows.filter(isChoice).map(({ datapoint: { id, name } }) => ({ value: id, label: name })),
    }))
    .filter(({ items }) => items.length > 0)
}
