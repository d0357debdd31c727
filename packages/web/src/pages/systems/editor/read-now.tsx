import { Text } from '@mantine/core'
import type { OperationReply } from '@plantroom/client/client'
import { useMutation } from '@tanstack/react-query'
import { describeError } from '../../../parts/describe-error.ts'
import { SmallButton } from '../../../parts/small-button.tsx'
import { sentence, shownValue } from '../../../parts/value.ts'
import { editor } from '../../../texts/editor.ts'
import { format } from '../../../texts/format.ts'

const texts = editor.read

/** Reads an address at the equipment once, before anything is stored. */
export function ReadNow({
  label,
  unit,
  read,
}: {
  label: string
  unit: string | undefined
  read: () => Promise<OperationReply<'readEquipment'>>
}) {
  const reading = useMutation({ mutationFn: read })
  const { data, error } = reading
  return (
    <>
      <SmallButton loading={reading.isPending} aria-label={label} onClick={() => reading.mutate()}>
        {texts.now}
      </SmallButton>
      <Text size="sm" role="status" c={error || data?.error ? 'red' : undefined}>
        {error ? describeError(error) : data && shown(data, unit)}
      </Text>
    </>
  )
}

function shown({ raw, value, note, error }: OperationReply<'readEquipment'>, unit: string | undefined): string {
  const reason = error ?? note
  if (reason !== null) return sentence(reason)
  const text = shownValue(value ?? undefined, unit)
  return value === raw ? text : format(texts.withRaw, { value: text, raw: shownValue(raw ?? undefined) })
}
