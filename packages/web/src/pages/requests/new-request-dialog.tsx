import { Select, SimpleGrid, Text, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useLocation } from 'wouter'
import { useChange } from '../../api/use-operation.ts'
import { useSession } from '../../api/use-session.ts'
import { useSite } from '../../api/use-site.ts'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { NameSelect, named } from '../../parts/selects.tsx'
import { type Form, useForm } from '../../parts/use-form.ts'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { requestFields } from '../../texts/request-fields.ts'
import { files as fileTexts } from '../../texts/request-parts.ts'
import { newRequest } from '../../texts/requests.ts'
import { PRIORITY_CHOICES, personLabel } from './describe-request.ts'
import { FilePicker, useFileUploads } from './file-picker.tsx'
import { BLANK, MYSELF, type NewRequest, problemsOf, SOMEONE_ELSE, toBody } from './new-request.ts'
import { usePeople, useUnitNames } from './use-requests.ts'

/** The form of a new request. It keeps its content when sending fails or it is closed by accident. */
export function NewRequestDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { path } = useSite()
  const [, navigate] = useLocation()
  const { uploads, chosen, attachments, isSending: isUploading, hasFailed } = useFileUploads()
  const add = useChange('addRequest', {
    onSuccess(ticket) {
      notifications.show({ message: format(newRequest.added, { number: String(ticket.number) }), color: 'green' })
      // The back button should lead to the list, not to a completed form.
      navigate(path(`/requests/${ticket.number}`), { replace: true })
    },
  })
  // No operation: a title that is too long is a problem of the form, not cut.
  const form = useForm({ isPending: add.isPending, error: add.error }, BLANK, problemsOf)

  function send(filled: NewRequest): void {
    if (!isUploading && !hasFailed) add.mutate({ body: { ...toBody(filled), attachments } })
  }

  return (
    <DialogForm
      form={form}
      byAddress
      opened={opened}
      onClose={onClose}
      title={newRequest.title}
      action={newRequest.add}
      size="lg"
      onSubmit={send}
    >
      <TextInput
        label={requestFields.title}
        description={newRequest.requestTitleHint}
        {...form.text('title')}
        required
        data-autofocus
      />
      <FilePicker uploads={uploads} chosen={chosen} disabled={add.isPending}>
        <Textarea label={requestFields.description} {...form.text('description')} autosize minRows={3} maxRows={14} />
      </FilePicker>
      <Choices form={form} />
      {form.values.reporter === SOMEONE_ELSE && <SomeoneElse form={form} />}
      {(isUploading || hasFailed) && (
        <Text size="sm" role="status">
          {isUploading ? fileTexts.wait : fileTexts.unfinished}
        </Text>
      )}
    </DialogForm>
  )
}

function Choices({ form }: { form: Form<NewRequest> }) {
  const session = useSession()
  const people = usePeople()
  const units = useUnitNames()
  const choices = (people.data ?? []).map((person) => ({ value: person.email, label: personLabel(person) }))
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <NameSelect
        label={requestFields.priority}
        placeholder={newRequest.noPriority}
        choices={PRIORITY_CHOICES}
        {...form.choice('priority')}
      />
      <NameSelect
        label={requestFields.unit}
        placeholder={newRequest.noUnit}
        choices={(units.data ?? []).map(named)}
        {...form.choice('unit')}
      />
      <Select
        label={requestFields.reporter}
        description={newRequest.reporterHint}
        data={[
          { value: MYSELF, label: format(newRequest.myself, { email: session.data?.user.email ?? '' }) },
          { value: SOMEONE_ELSE, label: newRequest.someoneElse },
          ...choices,
        ]}
        value={form.values.reporter}
        onChange={(reporter) => reporter !== null && form.set({ reporter })}
        allowDeselect={false}
        searchable
        limit={50}
        nothingFoundMessage={common.nothingFound}
      />
      <NameSelect
        label={requestFields.assignee}
        description={newRequest.assigneeHint}
        placeholder={newRequest.nobody}
        choices={choices}
        {...form.choice('assignee')}
      />
    </SimpleGrid>
  )
}

function SomeoneElse({ form }: { form: Form<NewRequest> }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
      <TextInput label={newRequest.reporterName} {...form.text('name')} maxLength={255} />
      <TextInput type="email" label={newRequest.reporterEmail} {...form.text('email')} maxLength={255} />
      <TextInput type="tel" label={newRequest.reporterPhone} {...form.text('phone')} maxLength={64} />
    </SimpleGrid>
  )
}
