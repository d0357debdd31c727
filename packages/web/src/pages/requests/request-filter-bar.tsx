import { Button, Collapse, Fieldset, Group, MultiSelect, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks'
import { TICKET_STATES, type TicketState } from '@plantroom/contract/tickets'
import { useEffect, useRef, useState } from 'react'
import { NameSelect, named } from '../../parts/selects.tsx'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { requests, states } from '../../texts/requests.ts'
import { personLabel } from './describe-request.ts'
import { isFiltered, MAX_SEARCH, PRIORITIES, type RequestFilters, readPriority } from './request-filters.ts'
import { usePeople, useTagNames, useUnitNames } from './use-requests.ts'

const STATES = TICKET_STATES.map((state) => ({ value: state, label: states[state] }))
const PRIORITY_CHOICES = PRIORITIES.map((priority) => named(String(priority)))

/** The filters of the list. On a phone only the search is open at first. */
export function RequestFilterBar({
  filters,
  onChange,
  isWide,
}: {
  filters: RequestFilters
  onChange: (changes: Partial<RequestFilters>) => void
  isWide: boolean
}) {
  const people = usePeople()
  const units = useUnitNames()
  const tags = useTagNames()
  const { q, ...others } = filters
  const [opened, { toggle }] = useDisclosure(isFiltered(others))

  return (
    <Stack gap="xs" mb="md" role="search" aria-label={requests.filtersLabel}>
      <Group align="flex-end" gap="sm" wrap="nowrap">
        <div style={{ flex: 1 }}>
          <SearchInput value={q ?? ''} onChange={(text) => onChange({ q: text })} />
        </div>
        {!isWide && (
          <Button variant="default" onClick={toggle} aria-expanded={opened}>
            {requests.filtersLabel}
          </Button>
        )}
      </Group>
      <Collapse expanded={isWide || opened}>
        <Fieldset variant="unstyled" m={0} p={0} aria-label={requests.filtersLabel}>
          <SimpleGrid cols={{ base: 1, xs: 2, lg: 5 }} spacing="sm" verticalSpacing="xs">
            <MultiSelect
              label={requests.state}
              placeholder={filters.states.length === 0 ? requests.anyState : undefined}
              data={STATES}
              value={[...filters.states]}
              onChange={(chosen) => onChange({ states: chosen as TicketState[] })}
              clearable
              clearButtonProps={{ 'aria-label': format(common.clear, { what: requests.state }) }}
            />
            <NameSelect
              label={requests.priority}
              placeholder={requests.anyPriority}
              choices={PRIORITY_CHOICES}
              value={filters.priority === undefined ? null : String(filters.priority)}
              onChange={(chosen) => onChange({ priority: readPriority(chosen) ?? undefined })}
            />
            <NameSelect
              label={requests.assignee}
              placeholder={requests.anyAssignee}
              choices={(people.data ?? []).map((person) => ({ value: person.email, label: personLabel(person) }))}
              value={filters.assignee ?? null}
              onChange={(chosen) => onChange({ assignee: chosen ?? undefined })}
            />
            <NameSelect
              label={requests.unit}
              placeholder={requests.anyUnit}
              choices={(units.data ?? []).map(named)}
              value={filters.unit ?? null}
              onChange={(chosen) => onChange({ unit: chosen ?? undefined })}
            />
            <NameSelect
              label={requests.tag}
              placeholder={requests.anyTag}
              choices={(tags.data ?? []).map(named)}
              value={filters.tag ?? null}
              onChange={(chosen) => onChange({ tag: chosen ?? undefined })}
            />
          </SimpleGrid>
        </Fieldset>
      </Collapse>
    </Stack>
  )
}

const PAUSE_MS = 350

/** A search that starts after a pause in typing, or with Enter. */
function SearchInput({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [text, setText] = useState(value)
  const reported = useRef(value)
  const report = (typed: string) => {
    reported.current = typed.trim()
    onChange(typed)
  }
  const reportLater = useDebouncedCallback(report, PAUSE_MS)

  // Take over changes from elsewhere, like the back button. Our own reports must not overwrite what is being typed.
  useEffect(() => {
    if (value === reported.current) return
    reported.current = value
    setText(value)
  }, [value])

  return (
    <TextInput
      type="search"
      label={requests.search}
      placeholder={requests.searchHint}
      value={text}
      maxLength={MAX_SEARCH}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        reportLater(currentTarget.value)
      }}
      onKeyDown={({ key }) => {
        if (key !== 'Enter') return
        reportLater.cancel()
        report(text)
      }}
    />
  )
}
