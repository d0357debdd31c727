import { TagsInput, Text } from '@mantine/core'
import { TICKET_STATES } from '@plantroom/contract/tickets'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { NameSelect } from '../../parts/selects.tsx'
import { useForm } from '../../parts/use-form.ts'
import { format } from '../../texts/format.ts'
import { requestFields } from '../../texts/request-fields.ts'
import { bulk, states } from '../../texts/requests.ts'
import { PRIORITY_CHOICES, personLabel } from './describe-request.ts'
import { type BulkForm, changesOf, EMPTY_FORM, NO_PRIORITY, NOBODY } from './selection.ts'
import type { useBulkChange } from './use-request-list.ts'
import { usePeople, useTagNames } from './use-requests.ts'

const STATES = TICKET_STATES.map((state) => ({ value: state, label: states[state] }))
const PRIORITIES = [{ value: NO_PRIORITY, label: bulk.noPriority }, ...PRIORITY_CHOICES]

/** Asks what to change about the chosen requests. Stays open with the error when it fails. */
export function BulkDialog({
  numbers,
  change,
  onClose,
  onDone,
}: {
  numbers: readonly number[]
  change: ReturnType<typeof useBulkChange>['change']
  onClose: () => void
  onDone: (result: NonNullable<ReturnType<typeof useBulkChange>['change']['data']>) => void
}) {
  const people = usePeople()
  const tags = useTagNames()
  const form = useForm(change, EMPTY_FORM, (filled) => ({ state: !changesOf(filled) && bulk.nothing }))
  const count = numbers.length

  function send(filled: BulkForm): void {
    const changes = changesOf(filled)
    if (changes) change.mutate({ body: { numbers, ...changes } }, { onSuccess: onDone })
  }

  return (
    <DialogForm
      form={form}
      title={format(bulk.title, { count })}
      action={format(bulk.apply, { count })}
      failed={bulk.notChanged}
      onClose={onClose}
      onSubmit={send}
      centered
    >
      <Text size="sm">{bulk.hint}</Text>
      <NameSelect label={requestFields.state} placeholder={bulk.unchanged} choices={STATES} {...form.choice('state')} />
      <NameSelect
        label={requestFields.assignee}
        placeholder={bulk.unchanged}
        choices={[
          { value: NOBODY, label: bulk.nobody },
          ...(people.data ?? []).map((person) => ({ value: person.email, label: personLabel(person) })),
        ]}
        {...form.choice('assignee')}
      />
      <NameSelect
        label={requestFields.priority}
        placeholder={bulk.unchanged}
        choices={PRIORITIES}
        {...form.choice('priority')}
      />
      <TagsInput
        label={bulk.addTags}
        data={tags.data ?? []}
        value={[...form.values.addTags]}
        onChange={(addTags) => form.set({ addTags })}
        maxLength={255}
        limit={50}
      />
      <TagsInput
        label={bulk.removeTags}
        data={tags.data ?? []}
        value={[...form.values.removeTags]}
        onChange={(removeTags) => form.set({ removeTags })}
        maxLength={255}
        limit={50}
      />
      {form.errorOf('state') && (
        <Text size="sm" c="red" role="alert">
          {bulk.nothing}
        </Text>
      )}
    </DialogForm>
  )
}
