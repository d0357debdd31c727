import { Alert, Group, Stack, Text } from '@mantine/core'
import type { OperationReply } from '@plantroom/client/client'
import type { CommissionedConnection, CommissionedDatapoint } from '@plantroom/contract/commissioning'
import { judgeReading, mendDatapoint, type ReadingCheck } from '@plantroom/contract/judge-reading'
import type { FlowPart } from '@plantroom/contract/main-measurements'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { describeError } from '../../../parts/describe-error.ts'
import { SmallButton } from '../../../parts/small-button.tsx'
import { sentence, shownValue } from '../../../parts/value.ts'
import { editor } from '../../../texts/editor.ts'
import { format } from '../../../texts/format.ts'

const texts = editor.read

type Place = Pick<CommissionedConnection, 'protocol' | 'settings'>
type Address = Place & Pick<CommissionedDatapoint, 'data' | 'scaler'>
type Reply = OperationReply<'readEquipment'>
/** Reads an address through the controller, before anything is stored. */
export type ReadAddress = (address: Address) => Promise<Reply>

/** Reads a datapoint at the equipment once, says what to check about the value, and mends the datapoint. */
export function Reading({
  label,
  place,
  datapoint,
  partOf,
  onRead,
  onChange,
}: {
  label: string
  place: Place
  datapoint: CommissionedDatapoint
  /** Returns which power of the site the datapoint measures. */
  partOf: (datapoint: CommissionedDatapoint) => FlowPart | undefined
  onRead: ReadAddress
  onChange: (datapoint: CommissionedDatapoint) => void
}) {
  const reading = useMutation({ mutationFn: onRead })
  const [mended, setMended] = useState<{ from: CommissionedDatapoint; to: CommissionedDatapoint; what: string }>()
  // A reading of another address says nothing about this one.
  const isCurrent = isSame(reading.variables, addressOf(place, datapoint))
  const { data, error } = isCurrent ? reading : NOTHING
  const checks = data ? judgeReading(datapoint, data, partOf(datapoint)) : []
  const isMended = mended !== undefined && isSame(mended.to, datapoint)

  /** Changes the datapoint and reads it again. */
  function change(to: CommissionedDatapoint): void {
    onChange(to)
    reading.mutate(addressOf(place, to))
  }

  return (
    <Stack gap="xs" flex={1} align="flex-start">
      <Group gap="xs">
        <SmallButton
          loading={isCurrent && reading.isPending}
          aria-label={label}
          onClick={() => reading.mutate(addressOf(place, datapoint))}
        >
          {texts.now}
        </SmallButton>
        <Text size="sm" role="status" c={error || data?.error ? 'red' : undefined}>
          {error ? describeError(error) : data && shown(data, datapoint.unit)}
        </Text>
      </Group>
      {data &&
        checks.map((check) => (
          <Check
            key={check.kind}
            check={check}
            value={shownValue(data.value ?? data.raw ?? undefined, datapoint.unit)}
            unit={datapoint.unit}
            // Whoever has just turned the sign can undo that.
            canMend={!(isMended && check.kind === 'direction')}
            onMend={() => {
              const to = mendDatapoint(datapoint, check)
              setMended({ from: datapoint, to, what: describeMend(check) })
              change(to)
            }}
          />
        ))}
      {isMended && (
        <Group gap="xs">
          <Text size="sm">{mended.what}</Text>
          <SmallButton
            onClick={() => {
              setMended(undefined)
              change(mended.from)
            }}
          >
            {texts.undo}
          </SmallButton>
        </Group>
      )}
    </Stack>
  )
}

const NOTHING = { data: undefined, error: null }

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const addressOf = ({ protocol, settings }: Place, { data, scaler }: CommissionedDatapoint): Address => ({
  ...{ protocol, settings, data },
  ...(scaler && { scaler }),
})

/** One thing to check about a reading, with the mend that is proposed. */
function Check({
  check,
  value,
  unit,
  canMend,
  onMend,
}: {
  check: ReadingCheck
  value: string
  unit: string | undefined
  canMend: boolean
  onMend: () => void
}) {
  const isDoubtful = check.kind !== 'direction' || check.isDoubtful
  const content = (
    <Group gap="xs">
      <Text size="sm">{describeCheck(check, value, unit)}</Text>
      {canMend && <SmallButton onClick={onMend}>{proposeMend(check)}</SmallButton>}
    </Group>
  )
  if (!isDoubtful) return content
  return (
    <Alert color="orange" variant="light" role="note" p="xs">
      {content}
    </Alert>
  )
}

function describeCheck(check: ReadingCheck, value: string, unit: string | undefined): string {
  if (check.kind === 'direction') {
    return format(texts.direction[check.part][check.isPositive ? 'positive' : 'negative'], { value })
  }
  const likely = shownValue(check.value, unit)
  if (check.kind === 'unsigned') return format(texts.unsigned, { value, likely })
  return format(texts.scale, { value, factor: check.factor, likely })
}

function proposeMend(check: ReadingCheck): string {
  if (check.kind === 'direction') return texts.turn
  return check.kind === 'unsigned'
    ? format(texts.readAs, { type: check.type })
    : format(texts.divide, { factor: check.factor })
}

function describeMend(check: ReadingCheck): string {
  if (check.kind === 'direction') return texts.turned
  return check.kind === 'unsigned'
    ? format(texts.nowReadAs, { type: check.type })
    : format(texts.divided, { factor: check.factor })
}

function shown({ raw, value, note, error }: Reply, unit: string | undefined): string {
  const reason = error ?? note
  if (reason !== null) return sentence(reason)
  const text = shownValue(value ?? undefined, unit)
  return value === raw ? text : format(texts.withRaw, { value: text, raw: shownValue(raw ?? undefined) })
}
