import { Select, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { useChange } from '../../api/use-operation.ts'
import { useSession } from '../../api/use-session.ts'
import { useSite } from '../../api/use-site.ts'
import { FormEnd, Modal } from '../../parts/dialogs.tsx'
import { NameSelect, named } from '../../parts/selects.tsx'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { files as fileTexts } from '../../texts/request-parts.ts'
import { newRequest, requests } from '../../texts/requests.ts'
import { PRIORITY_CHOICES, personLabel } from './describe-request.ts'
import { FilePicker, useFileUploads } from './file-picker.tsx'
import { BLANK, MYSELF, type NewRequest, problemsOf, SOMEONE_ELSE, toBody } from './new-request.ts'
import { usePeople, useUnitNames } from './use-requests.ts'

/** The form of a new request. It keeps its content when sending fails or it is closed by accident. */
export function NewRequestDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { path } = useSite()
  const [filled, setFilled] = useState(BLANK)
  const [tried, setTried] = useState(false)
  const [, navigate] = useLocation()
  const { uploads, chosen, attachments, isSending: isUploading, hasFailed } = useFileUploads()
  const add = useChange('addRequest', {
    onSuccess(ticket) {
      notifications.show({ message: format(newRequest.added, { number: String(ticket.number) }), color: 'green' })
      // The back button should lead to the list, not to a completed form.
      navigate(path(`/requests/${ticket.number}`), { replace: true })
    },
  })
  const problems = problemsOf(filled)
  const shown = tried ? problems : {}
  const change = (changes: Partial<NewRequest>) => setFilled((before) => ({ ...before, ...changes }))

  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    const isReady = Object.keys(problems).length === 0 && !isUploading && !hasFailed
    if (isReady && !add.isPending) add.mutate({ body: { ...toBody(filled), attachments } })
  }

  return (
    <Modal byAddress opened={opened} onClose={onClose} title={newRequest.title} size="lg">
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label={newRequest.requestTitle}
            description={newRequest.requestTitleHint}
            value={filled.title}
            onChange={({ currentTarget }) => change({ title: currentTarget.value })}
            error={shown.title}
            required
            data-autofocus
          />
          <FilePicker uploads={uploads} chosen={chosen} disabled={add.isPending}>
            <Textarea
              label={newRequest.description}
              value={filled.description}
              onChange={({ currentTarget }) => change({ description: currentTarget.value })}
              error={shown.description}
              autosize
              minRows={3}
              maxRows={14}
            />
          </FilePicker>
          <Choices filled={filled} change={change} />
          {filled.reporter === SOMEONE_ELSE && <SomeoneElse filled={filled} change={change} problem={shown.name} />}
          {(isUploading || hasFailed) && (
            <Text size="sm" role="status">
              {isUploading ? fileTexts.wait : fileTexts.unfinished}
            </Text>
          )}
          <FormEnd mutation={add} action={newRequest.add} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}

interface Part {
  filled: NewRequest
  change: (changes: Partial<NewRequest>) => void
}

function Choices({ filled, change }: Part) {
  const session = useSession()
  const people = usePeople()
  const units = useUnitNames()
  const choices = (people.data ?? []).map((person) => ({ value: person.email, label: personLabel(person) }))
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <NameSelect
        label={requests.priority}
        placeholder={newRequest.noPriority}
        choices={PRIORITY_CHOICES}
        value={filled.priority}
        onChange={(priority) => change({ priority })}
      />
      <NameSelect
        label={requests.unit}
        placeholder={newRequest.noUnit}
        choices={(units.data ?? []).map(named)}
        value={filled.unit}
        onChange={(unit) => change({ unit })}
      />
      <Select
        label={newRequest.reporter}
        description={newRequest.reporterHint}
        data={[
          { value: MYSELF, label: format(newRequest.myself, { email: session.data?.user.email ?? '' }) },
          { value: SOMEONE_ELSE, label: newRequest.someoneElse },
          ...choices,
        ]}
        value={filled.reporter}
        onChange={(reporter) => reporter !== null && change({ reporter })}
        allowDeselect={false}
        searchable
        limit={50}
        nothingFoundMessage={common.nothingFound}
      />
      <NameSelect
        label={requests.assignee}
        description={newRequest.assigneeHint}
        placeholder={newRequest.nobody}
        choices={choices}
        value={filled.assignee}
        onChange={(assignee) => change({ assignee })}
      />
    </SimpleGrid>
  )
}

function SomeoneElse({ filled, change, problem }: Part & { problem: string | undefined }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
      <TextInput
        label={newRequest.reporterName}
        value={filled.name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        error={problem}
        maxLength={255}
      />
      <TextInput
        type="email"
        label={newRequest.reporterEmail}
        value={filled.email}
        onChange={({ currentTarget }) => change({ email: currentTarget.value })}
        maxLength={255}
      />
      <TextInput
        type="tel"
        label={newRequest.reporterPhone}
        value={filled.phone}
        onChange={({ currentTarget }) => change({ phone: currentTarget.value })}
        maxLength={64}
      />
    </SimpleGrid>
  )
}
