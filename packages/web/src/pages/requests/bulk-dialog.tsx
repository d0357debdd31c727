import { Stack, TagsInput, Text } from '@mantine/core'
import { TICKET_STATES } from '@plantroom/contract/tickets'
import { type FormEvent, useState } from 'react'
import { FormEnd, Modal } from '../../parts/dialogs.tsx'
import { NameSelect } from '../../parts/selects.tsx'
import { format } from '../../texts/format.ts'
import { bulk, requests, states } from '../../texts/requests.ts'
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
  const [form, setForm] = useState<BulkForm>(EMPTY_FORM)
  const set = (changed: Partial<BulkForm>) => setForm((before) => ({ ...before, ...changed }))
  const [isTried, setTried] = useState(false)
  const changes = changesOf(form)
  const count = numbers.length

  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (!changes || change.isPending) return
    change.mutate({ body: { numbers, ...changes } }, { onSuccess: onDone })
  }

  return (
    <Modal opened onClose={onClose} title={format(bulk.title, { count })} centered>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">{bulk.hint}</Text>
          <NameSelect
            label={requests.state}
            placeholder={bulk.unchanged}
            choices={STATES}
            value={form.state}
            onChange={(state) => set({ state })}
          />
          <NameSelect
            label={requests.assignee}
            placeholder={bulk.unchanged}
            choices={[
              { value: NOBODY, label: bulk.nobody },
              ...(people.data ?? []).map((person) => ({ value: person.email, label: personLabel(person) })),
            ]}
            value={form.assignee}
            onChange={(assignee) => set({ assignee })}
          />
          <NameSelect
            label={requests.priority}
            placeholder={bulk.unchanged}
            choices={PRIORITIES}
            value={form.priority}
            onChange={(priority) => set({ priority })}
          />
          <TagsInput
            label={bulk.addTags}
            data={tags.data ?? []}
            value={[...form.addTags]}
            onChange={(addTags) => set({ addTags })}
            maxLength={255}
            limit={50}
          />
          <TagsInput
            label={bulk.removeTags}
            data={tags.data ?? []}
            value={[...form.removeTags]}
            onChange={(removeTags) => set({ removeTags })}
            maxLength={255}
            limit={50}
          />
          {isTried && !changes && (
            <Text size="sm" c="red" role="alert">
              {bulk.nothing}
            </Text>
          )}
          <FormEnd
            mutation={change}
            action={format(bulk.apply, { count })}
            onCancel={onClose}
            failed={bulk.notChanged}
          />
        </Stack>
      </form>
    </Modal>
  )
}
