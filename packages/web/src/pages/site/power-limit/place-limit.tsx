import { NumberInput, Radio, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import {
  AVERAGING_SECONDS,
  DEFAULT_AVERAGING_SECONDS,
  DIRECTIONS,
  type Direction,
} from '@plantroom/contract/power-limit'
import { useRef } from 'react'
import { type PageInput, useChange } from '../../../api/use-operation.ts'
import { useSite } from '../../../api/use-site.ts'
import { shownKw } from '../../../parts/describe-ceiling.ts'
import { DialogForm } from '../../../parts/dialog-form.tsx'
import { type PlanForm, planOf } from '../../../parts/plan/plan.ts'
import { PlanTimes } from '../../../parts/plan/plan-fields.tsx'
import { ReasonInput } from '../../../parts/release/release-modal.tsx'
import { useForm } from '../../../parts/use-form.ts'
import { format } from '../../../texts/format.ts'
import { powerLimits as texts } from '../../../texts/power-limits.ts'

interface LimitForm extends PlanForm {
  direction: Direction
  averaging: `${(typeof AVERAGING_SECONDS)[number]}`
}

const EMPTY: LimitForm = {
  direction: 'import',
  value: '',
  start: 'now',
  startAt: '',
  length: '60',
  endAt: '',
  averaging: `${DEFAULT_AVERAGING_SECONDS}`,
  reason: '',
}

type Body = PageInput<'placeLimit'>['body']

/** Limits the power of the site for a bounded time. */
export function PlaceLimit({ guaranteedKw, now, onClose }: { guaranteedKw: number; now: number; onClose: () => void }) {
  const { site, siteId } = useSite()
  const when = { now, timeZone: site.timeZone }
  const place = useChange('placeLimit', {
    onFresh() {
      notifications.show({ message: texts.placed })
      onClose()
    },
  })
  const problemIn = (values: LimitForm) => {
    const { plan, problem } = planOf(values, when)
    if (plan && plan.value < 0) return { field: 'value', problem: texts.kwNegative, missing: false } as const
    return problem
  }
  const form = useForm<LimitForm>(place, EMPTY, (values) => {
    const problem = problemIn(values)
    return problem ? { [problem.field]: problem.problem } : {}
  })
  const { values, set, isTried } = form
  // The same form again is the same limit, so that a lost answer does not place two.
  const sent = useRef<{ values: LimitForm; body: Body }>(undefined)

  function send(filled: LimitForm) {
    const { plan } = planOf(filled, when)
    if (!plan) return
    if (sent.current?.values !== values) sent.current = { values, body: bodyOf(filled, plan, siteId) }
    place.mutate({ body: sent.current.body })
  }

  return (
    <DialogForm
      title={format(texts.placeTitle, { site: site.name })}
      size="lg"
      form={form}
      action={texts.place}
      failed={texts.placeFailed}
      onClose={onClose}
      onSubmit={send}
    >
      <Text size="sm">{texts.placeHint}</Text>
      <Radio.Group
        label={texts.direction}
        {...form.choice('direction')}
        onChange={(direction) => set({ direction: direction as Direction })}
      >
        <Choices of={DIRECTIONS} labelOf={(direction) => texts.directions[direction]} />
      </Radio.Group>
      <NumberInput
        label={texts.kw}
        description={format(texts.kwHint, { guaranteed: shownKw(guaranteedKw) })}
        {...form.choice('value')}
        clampBehavior="none"
        inputMode="decimal"
        required
        data-autofocus
        maw={320}
      />
      <PlanTimes form={values} onChange={set} problem={isTried ? problemIn(values) : undefined} when={when} />
      <Radio.Group
        label={texts.averaging}
        {...form.choice('averaging')}
        onChange={(averaging) => set({ averaging: averaging as LimitForm['averaging'] })}
      >
        <Choices
          of={AVERAGING_SECONDS.map((seconds) => `${seconds}` as const).toReversed()}
          labelOf={(seconds) => texts.averagingChoices[seconds]}
        />
      </Radio.Group>
      <ReasonInput reason={values.reason} onChange={(reason) => set({ reason })} />
    </DialogForm>
  )
}

function Choices<Value extends string>({ of, labelOf }: { of: readonly Value[]; labelOf: (value: Value) => string }) {
  return (
    <Stack gap={6} mt={6}>
      {of.map((value) => (
        <Radio key={value} value={value} label={labelOf(value)} />
      ))}
    </Stack>
  )
}

type Planned = NonNullable<ReturnType<typeof planOf>['plan']>

function bodyOf({ direction, averaging }: LimitForm, plan: Planned, siteId: string): Body {
  const { value: kw, from, to, startsNow, reason } = plan
  return {
    idempotencyKey: crypto.randomUUID(),
    siteId,
    direction,
    kw,
    ...(!startsNow && { from: new Date(from).toISOString() }),
    to: new Date(to).toISOString(),
    averagingSeconds: averaging === '900' ? 900 : 0,
    ...(reason !== undefined && { reason }),
  }
}
