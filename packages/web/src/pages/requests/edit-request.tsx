import { Alert, Button, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { ApiError } from '@plantroom/client/http'
import type { ShownTicket } from '@plantroom/contract/api'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/service.ts'
import { invalidate, remember } from '../../api/use-operation.ts'
import { useSite } from '../../api/use-site.ts'
import { FormEnd } from '../../parts/dialog-form.tsx'
import { Modal } from '../../parts/dialogs.tsx'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { requestFields } from '../../texts/request-fields.ts'
import { editing } from '../../texts/request-parts.ts'
import { newRequest } from '../../texts/requests.ts'
import { actorName } from './describe-change.ts'
import { type Conflict, changesOf, mergeTexts, type TextField, type Texts, textsOf } from './edit-texts.ts'
import { MAX_TEXT } from './new-request.ts'
import classes from './requests.module.css'
import { useChanges } from './use-requests.ts'

const MAX_TITLE = 255

/** Edits the texts of a request. What someone else saved meanwhile is shown, and nothing typed is lost. */
export function EditRequest({ ticket, onClose }: { ticket: ShownTicket; onClose: () => void }) {
  const { seen, typed, conflicts, setText, dropConflict, save } = useEditing(ticket, onClose)
  const { isChanged } = changesOf(seen, typed)
  const problems = problemsOf(textsOf(seen), typed)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (Object.keys(problems).length > 0 || save.isPending) return
    if (isChanged) save.mutate()
    else onClose()
  }

  const inputOf = (field: TextField) => ({
    label: requestFields[field],
    description: field === 'notes' ? editing.notesHint : undefined,
    value: typed[field],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => setText(field, currentTarget.value),
    error: problems[field],
    readOnly: save.isPending,
  })
  const areaOf = (field: TextField) =>
    textsOf(seen)[field].length > MAX_TEXT ? (
      <Text size="sm">{format(common.fact, { name: requestFields[field], value: editing.tooLongToEdit })}</Text>
    ) : (
      <Textarea {...inputOf(field)} autosize minRows={field === 'description' ? 4 : 2} maxRows={14} />
    )
  const conflictOf = (field: TextField) => {
    const conflict = conflicts.find((one) => one.field === field)
    if (!conflict) return null
    return (
      <TheirText
        number={ticket.number}
        conflict={conflict}
        onUse={() => {
          setText(field, conflict.theirs)
          dropConflict(field)
        }}
      />
    )
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={format(editing.title, { number: String(ticket.number) })}
      size="lg"
      closeOnClickOutside={!isChanged}
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          {conflicts.length > 0 && (
            <Alert color="orange" variant="light" role="alert" title={editing.conflict}>
              {editing.conflictHint}
            </Alert>
          )}
          <TextInput {...inputOf('title')} required data-autofocus />
          {conflictOf('title')}
          {areaOf('description')}
          {conflictOf('description')}
          {areaOf('notes')}
          {conflictOf('notes')}
          {areaOf('resolutionSummary')}
          {conflictOf('resolutionSummary')}
          <FormEnd
            mutation={{ isPending: save.isPending, error: isConflict(save.error) ? null : save.error }}
            action={common.save}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Modal>
  )
}

const isConflict = (error: unknown) => error instanceof ApiError && error.status === 409

/** Saves only against what was seen. After a conflict, what was typed continues on top of the new texts. */
function useEditing(ticket: ShownTicket, onDone: () => void) {
  const { orgId, siteId } = useSite()
  // Kept from when the form was opened: a reload in the background must not hide a conflict.
  const [seen, setSeen] = useState(ticket)
  const [typed, setTyped] = useState<Texts>(() => textsOf(ticket))
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([])
  const at = { orgId, propertyId: siteId, number: ticket.number }

  async function merge() {
    const now = await api.getRequest(at)
    remember('getRequest', at, now)
    const merged = mergeTexts(seen, now, typed)
    setSeen(now)
    setTyped(merged.typed)
    setConflicts(merged.conflicts)
  }

  const save = useMutation({
    async mutationFn() {
      const { changes, before } = changesOf(seen, typed)
      return api.changeRequest({ ...at, body: { ...changes, before } }).catch(async (error: unknown) => {
        if (isConflict(error)) await merge()
        throw error
      })
    },
    onSuccess(changed) {
      remember('getRequest', at, changed)
      notifications.show({ message: editing.saved, color: 'green' })
      onDone()
    },
    onSettled: () => void invalidate('listRequests'),
  })
  return {
    seen,
    typed,
    conflicts,
    setText: (field: TextField, text: string) => setTyped((before) => ({ ...before, [field]: text })),
    dropConflict: (field: TextField) => setConflicts((before) => before.filter((one) => one.field !== field)),
    save,
  }
}

function TheirText({ number, conflict, onUse }: { number: number; conflict: Conflict; onUse: () => void }) {
  const { field, theirs } = conflict
  const latest = useChanges(number).data?.changes.find((change) => change.field === field)
  return (
    <Stack gap={4} className={classes.theirs}>
      <Text size="sm" fw={600}>
        {latest
          ? format(editing.theirsBy, { who: actorName(latest.by), field: requestFields[field] })
          : format(editing.theirs, { field: requestFields[field] })}
      </Text>
      <Text size="sm" className={classes.written}>
        {theirs || editing.emptied}
      </Text>
      <Text size="sm">{editing.keepMine}</Text>
      <Button size="compact-sm" variant="default" onClick={onUse} style={{ alignSelf: 'flex-start' }}>
        {editing.useTheirs}
      </Button>
    </Stack>
  )
}

function problemsOf(before: Texts, typed: Texts): Partial<Texts> {
  const title = typed.title.trim()
  const long = (['description', 'notes', 'resolutionSummary'] as const).filter(
    (field) => typed[field].length > MAX_TEXT && typed[field] !== before[field],
  )
  return {
    ...(title === '' && { title: newRequest.blankTitle }),
    ...(title.length > MAX_TITLE && { title: newRequest.longTitle }),
    ...Object.fromEntries(long.map((field) => [field, format(editing.longText, { characters: typed[field].length })])),
  }
}
