import { MultiSelect, Stack, TagsInput, Text, TextInput, type TextInputProps } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { RequestDetails, ShownTicket } from '@plantroom/contract/api'
import { isSameEmail } from '@plantroom/contract/fold-email'
import {
  choicesOf,
  columnField,
  type EditableColumnField,
  PLAIN_FIELDS,
  type PlainField,
} from '@plantroom/contract/request-fields'
import { type ReactNode, useState } from 'react'
import { useSite } from '../../api/use-site.ts'
import { Link } from '../../parts/link.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { NameSelect, named } from '../../parts/selects.tsx'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { requestFields } from '../../texts/request-fields.ts'
import { request } from '../../texts/requests.ts'
import { valueText } from './describe-field.ts'
import { nameOf, PRIORITY_CHOICES, personLabel } from './describe-request.ts'
import { readPriority } from './request-filters.ts'
import { PersonView } from './request-parts.tsx'
import { useChangeRequest, usePeople, useTagNames, useUnitNames } from './use-requests.ts'

/** The fields that managers edit in place. Each choice is saved immediately and reverts when that fails. */
export function RequestEditors({ ticket }: { ticket: ShownTicket }) {
  return (
    <Stack gap="sm">
      <Text size="sm">{request.changesHint}</Text>
      <Assignee ticket={ticket} />
      <Priority ticket={ticket} />
      <Unit ticket={ticket} />
      <Tags ticket={ticket} />
      {EDITED_FIELDS.map((name) => (
        <PlainEditor key={name} ticket={ticket} name={name} />
      ))}
      <Supervisor ticket={ticket} />
      <Watchers ticket={ticket} />
    </Stack>
  )
}

type EditedField = keyof RequestDetails

/** The value that the person sees, as the service takes it: someone else may have changed it meanwhile. */
function seenValue(ticket: ShownTicket, name: EditedField) {
  if (name === 'assignee' || name === 'supervisor') return ticket[name]?.email ?? null
  return name === 'watchers' ? emailsOf(ticket.watchers) : ticket[name]
}

const emailsOf = (people: ShownTicket['watchers']) => people.flatMap(({ email }) => email ?? [])

/** Saves one field; `wanted` is its new value while it is being saved. */
function useEdit<Name extends EditedField>(ticket: ShownTicket, name: Name) {
  const change = useChangeRequest(ticket.number)
  const field = requestFields[name]
  const save = (value: RequestDetails[Name]) =>
    change.mutate(
      { [name]: value, before: { [name]: seenValue(ticket, name) } },
      { onSuccess: () => notifications.show({ message: format(request.saved, { field }), color: 'green' }) },
    )
  const failure: ReactNode = change.error && (
    <ErrorNotice
      error={change.error}
      title={format(request.notSaved, { field })}
      retry={() => change.variables && save(change.variables[name])}
    />
  )
  return { save, failure, saving: change.isPending, wanted: change.isPending ? change.variables[name] : undefined }
}

function Priority({ ticket }: { ticket: ShownTicket }) {
  const { save, failure, saving, wanted } = useEdit(ticket, 'priority')
  const priority = wanted === undefined ? ticket.priority : wanted
  return (
    <>
      <NameSelect
        label={requestFields.priority}
        placeholder={request.noPriority}
        choices={PRIORITY_CHOICES}
        value={priority === null ? null : String(priority)}
        onChange={(chosen) => save(readPriority(chosen))}
        disabled={saving}
      />
      {failure}
    </>
  )
}

function Assignee({ ticket }: { ticket: ShownTicket }) {
  const { path } = useSite()
  const people = usePeople()
  const { save, failure, saving, wanted } = useEdit(ticket, 'assignee')
  const choices = (people.data ?? []).map((person) => ({ value: person.email, label: personLabel(person) }))
  const assigned = wanted === undefined ? (ticket.assignee?.email ?? null) : wanted
  const current = choices.find(({ value }) => isSameEmail(value, assigned))
  const unlisted = ticket.assignee && assigned !== null && !current
  return (
    <>
      <NameSelect
        label={requestFields.assignee}
        placeholder={request.nobody}
        choices={unlisted ? [{ value: assigned, label: nameOf(ticket.assignee) ?? assigned }, ...choices] : choices}
        value={current?.value ?? assigned}
        onChange={save}
        disabled={saving}
      />
      {!saving && ticket.assignee && (
        <Text size="sm" component="div">
          <PersonView person={{ ...ticket.assignee, name: null }} />
        </Text>
      )}
      {people.data?.length === 0 && (
        <Text size="sm">
          {request.noPeople}{' '}
          <Link to={path('/settings/people')} underline="always">
            {request.addPeople}
          </Link>
        </Text>
      )}
      {failure}
    </>
  )
}

function Unit({ ticket }: { ticket: ShownTicket }) {
  const units = useUnitNames()
  const { save, failure, saving, wanted } = useEdit(ticket, 'unit')
  return (
    <>
      <NameSelect
        label={requestFields.unit}
        placeholder={request.noUnit}
        choices={(units.data ?? []).map(named)}
        value={wanted === undefined ? ticket.unit : wanted}
        onChange={save}
        disabled={saving}
      />
      {failure}
    </>
  )
}

const EDITED_FIELDS = PLAIN_FIELDS.filter(
  (name): name is PlainField & EditableColumnField => columnField(name).edit !== undefined,
)

/** Chooses one of the values that the field can have, or takes a short text. */
function PlainEditor({ ticket, name }: { ticket: ShownTicket; name: (typeof EDITED_FIELDS)[number] }) {
  const { save, failure, saving, wanted } = useEdit(ticket, name)
  const value = wanted === undefined ? ticket[name] : wanted
  const text = value === null ? null : String(value)
  const shown = text === null ? null : valueText(name, text)
  const choices = choicesOf(name)
  const input = { label: requestFields[name], placeholder: request.notStated, disabled: saving }
  // The schema of the field lists the choices, so each is a value of it.
  const saveAny = (chosen: unknown) => save(chosen as RequestDetails[typeof name])
  return (
    <>
      {choices ? (
        <NameSelect
          {...input}
          choices={choices.map((choice) => ({ value: String(choice), label: valueText(name, String(choice)) }))}
          value={text}
          onChange={(chosen) => saveAny(choices.find((choice) => String(choice) === chosen) ?? null)}
        />
      ) : (
        <ShortText
          {...input}
          description={shown === text ? undefined : shown}
          maxLength={Number(columnField(name).edit?.maxLength)}
          value={text ?? ''}
          onSave={(typed) => saveAny(typed || null)}
        />
      )}
      {failure}
    </>
  )
}

type ShortTextProps = TextInputProps & { value: string; onSave: (text: string) => void }

/** A text that is saved when the person leaves the field or presses Enter. Escape restores it. */
function ShortText({ value, onSave, ...input }: ShortTextProps) {
  const [typed, setTyped] = useState<string>()
  function finish() {
    setTyped(undefined)
    if (typed !== undefined && typed.trim() !== value) onSave(typed.trim())
  }
  return (
    <TextInput
      {...input}
      value={typed ?? value}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={finish}
      onKeyDown={({ key }) => {
        if (key === 'Enter') finish()
        if (key === 'Escape') setTyped(undefined)
      }}
    />
  )
}

function Supervisor({ ticket }: { ticket: ShownTicket }) {
  const people = usePeople()
  const { save, failure, saving, wanted } = useEdit(ticket, 'supervisor')
  const choices = (people.data ?? []).map((person) => ({ value: person.email, label: personLabel(person) }))
  const chosen = wanted === undefined ? (ticket.supervisor?.email ?? null) : wanted
  return (
    <>
      <NameSelect
        label={requestFields.supervisor}
        placeholder={request.nobody}
        choices={choices}
        value={choices.find(({ value }) => isSameEmail(value, chosen))?.value ?? chosen}
        onChange={save}
        disabled={saving}
      />
      {failure}
    </>
  )
}

function Watchers({ ticket }: { ticket: ShownTicket }) {
  const people = usePeople()
  const { save, failure, saving, wanted } = useEdit(ticket, 'watchers')
  const choices = (people.data ?? []).map((person) => ({ value: person.email, label: personLabel(person) }))
  const chosen = [...(wanted ?? emailsOf(ticket.watchers))]
  const unlisted = chosen.filter((email) => !choices.some(({ value }) => value === email))
  return (
    <>
      <MultiSelect
        label={requestFields.watchers}
        placeholder={chosen.length === 0 ? request.noTags : undefined}
        data={[...unlisted.map(named), ...choices]}
        value={chosen}
        onChange={save}
        disabled={saving}
        searchable
        limit={50}
        maxValues={100}
        nothingFoundMessage={common.nothingFound}
      />
      {failure}
    </>
  )
}

function Tags({ ticket }: { ticket: ShownTicket }) {
  const names = useTagNames()
  const { save, failure, saving, wanted } = useEdit(ticket, 'tags')
  return (
    <>
      <TagsInput
        label={requestFields.tags}
        description={request.tagsHint}
        placeholder={request.addTag}
        data={names.data ?? []}
        value={[...(wanted ?? ticket.tags)]}
        onChange={save}
        disabled={saving}
        maxLength={255}
        limit={50}
      />
      {failure}
    </>
  )
}
