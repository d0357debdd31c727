import { Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import type { OpenadrEvent } from '@plantroom/contract/openadr'
import { useState } from 'react'
import { useChange } from '../../api/use-operation.ts'
import type { When } from '../../parts/describe-hold.ts'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { SmallButton } from '../../parts/small-button.tsx'
import { useForm } from '../../parts/use-form.ts'
import { sentence } from '../../parts/value.ts'
import { format } from '../../texts/format.ts'
import { openadrEvents } from '../../texts/openadr-events.ts'
import { describeOptOut, eventTitle, resourcesIn } from './describe-event.ts'
import classes from './openadr.module.css'

const texts = openadrEvents.optOut

/** The resources that are out of an event, with a button for each to put it back, and one to take others out. */
export function OptOuts({ event, when }: { event: OpenadrEvent; when: When }) {
  const [isOpen, setIsOpen] = useState(false)
  const end = useChange('endOpenadrOptOut')
  const { optOuts, state } = event
  const isOver = state === 'ended' || state === 'deleted'
  const left = isOver ? [] : resourcesIn(event)
  if (optOuts.length === 0 && left.length === 0) return null
  return (
    <Stack gap="xs">
      {optOuts.length > 0 && (
        <ul className={classes.plain} aria-label={texts.list}>
          {optOuts.map((optOut) => (
            <li key={optOut.id}>
              <Group gap="xs">
                <Text size="sm" className={classes.wrap}>
                  <b>{format(texts.isOut, { resource: optOut.resourceName })}</b> {describeOptOut(optOut, when)}
                </Text>
                {!isOver && (
                  <SmallButton
                    aria-label={format(texts.endOf, { resource: optOut.resourceName })}
                    loading={end.isPending && end.variables.optOutId === optOut.id}
                    onClick={() => end.mutate({ optOutId: optOut.id })}
                  >
                    {texts.end}
                  </SmallButton>
                )}
              </Group>
            </li>
          ))}
        </ul>
      )}
      {end.error && <ErrorNotice error={end.error} />}
      {left.length > 0 && (
        <Group>
          <SmallButton aria-label={format(texts.of, { event: eventTitle(event) })} onClick={() => setIsOpen(true)}>
            {texts.open}
          </SmallButton>
        </Group>
      )}
      {isOpen && <OptOutDialog event={event} resources={left} onClose={() => setIsOpen(false)} />}
    </Stack>
  )
}

/** Asks for a reason, and of which resources the event is not to be followed. */
function OptOutDialog({
  event,
  resources,
  onClose,
}: {
  event: OpenadrEvent
  resources: readonly string[]
  onClose: () => void
}) {
  const change = useChange('optOutOfOpenadrEvent', { onFresh: onClose })
  const form = useForm(change, { reason: '', chosen: [...resources] }, ({ reason, chosen }) => ({
    reason: reason === '' && texts.reasonMissing,
    chosen: chosen.length === 0 && texts.chooseOne,
  }))
  return (
    <DialogForm
      form={form}
      title={format(texts.title, { event: eventTitle(event) })}
      action={texts.action}
      onClose={onClose}
      onSubmit={({ reason, chosen }) => change.mutate({ eventId: event.id, body: { reason, resourceNames: chosen } })}
    >
      <Text>{texts.hint}</Text>
      {resources.length > 1 && (
        <Checkbox.Group
          label={texts.resources}
          value={form.values.chosen}
          onChange={(chosen) => form.set({ chosen })}
          error={form.errorOf('chosen') && sentence(texts.chooseOne)}
        >
          <Stack gap="xs" mt={4}>
            {resources.map((name) => (
              <Checkbox key={name} value={name} label={name} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      <TextInput label={texts.reason} description={texts.reasonHint} data-autofocus {...form.text('reason')} />
    </DialogForm>
  )
}
