import { MultiSelect, Stack, TagsInput, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { RequestDetails, ShownTicket } from '@plantroom/contract/api'
import { isSameEmail } from '@plantroom/contract/fold-email'
import type { ReactNode } from 'react'
import { useSite } from '../../api/use-site.ts'
import { Link } from '../../parts/link.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { NameSelect, named } from '../../parts/selects.tsx'
import { common } from '../../texts/common.ts'
import { request, requests, scopes } from '../../texts/requests.ts'
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
      <Hazard ticket={ticket} />
      <Scope ticket={ticket} />
      <Supervisor ticket={ticket} />
      <Watchers ticket={ticket} />
    </Stack>
  )
}

/** The value that the person sees, as the service takes it: someone else may have changed it meanwhile. */
function seenValue(ticket: ShownTicket, name: keyof typeof request.saved) {
  if (name === 'assignee' || name === 'supervisor') return ticket[name]?.email ?? null
  return name === 'watchers' ? emailsOf(ticket.watchers) : ticket[name]
}

const emailsOf = (people: ShownTicket['watchers']) => people.flatMap(({ email }) => email ?? [])

/** Saves one field; `wanted` is its new value while it is being saved. */
function useEdit<Name extends keyof RequestDetails & keyof typeof request.saved>(ticket: ShownTicket, name: Name) {
  const change = useChangeRequest(ticket.number)
  const save = (value: RequestDetails[Name]) =>
    change.mutate(
      { [name]: value, before: { [name]: seenValue(ticket, name) } },
      { onSuccess: () => notifications.show({ message: request.saved[name], color: 'green' }) },
    )
  const failure: ReactNode = change.error && (
    <ErrorNotice
      error={change.error}
      title={request.notSaved[name]}
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
        label={requests.priority}
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
        label={requests.assignee}
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
        label={requests.unit}
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

const HAZARD = { yes: true, no: false } as const

function Hazard({ ticket }: { ticket: ShownTicket }) {
  const { save, failure, saving, wanted } = useEdit(ticket, 'safetyHazard')
  const hazard = wanted === undefined ? ticket.safetyHazard : wanted
  return (
    <>
      <NameSelect
        label={requests.hazard}
        placeholder={request.notStated}
        choices={[
          { value: 'yes', label: request.hazardYes },
          { value: 'no', label: request.hazardNo },
        ]}
        value={hazard === null ? null : hazard ? 'yes' : 'no'}
        onChange={(chosen) => save(chosen === 'yes' || chosen === 'no' ? HAZARD[chosen] : null)}
        disabled={saving}
      />
      {failure}
    </>
  )
}

const SCOPES = ['unit', 'common_area', 'building'] as const

function Scope({ ticket }: { ticket: ShownTicket }) {
  const { save, failure, saving, wanted } = useEdit(ticket, 'scope')
  return (
    <>
      <NameSelect
        label={request.scope}
        placeholder={request.notStated}
        choices={SCOPES.map((scope) => ({ value: scope, label: scopes[scope] }))}
        value={wanted === undefined ? ticket.scope : wanted}
        onChange={(chosen) => save(SCOPES.find((scope) => scope === chosen) ?? null)}
        disabled={saving}
      />
      {failure}
    </>
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
        label={request.supervisor}
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
        label={request.watchers}
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
        label={requests.tags}
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
