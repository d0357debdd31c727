import { Button, Collapse, Fieldset, Group, MultiSelect, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks'
import { REQUEST_SORTS, type RequestSort, type SortOrder } from '@plantroom/contract/api'
import { TICKET_STATES, type TicketState } from '@plantroom/contract/tickets'
import { useEffect, useRef, useState } from 'react'
import { useSite } from '../../api/use-site.ts'
import { NameSelect, named } from '../../parts/selects.tsx'
import { TimeInput } from '../../parts/time-input.tsx'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { requestFields } from '../../texts/request-fields.ts'
import { requests, states } from '../../texts/requests.ts'
import { PRIORITY_CHOICES, personLabel } from './describe-request.ts'
import {
  DEFAULT_SORT,
  isEmptyPeriod,
  isFiltered,
  MAX_SEARCH,
  type RequestFilters,
  readPriority,
} from './request-filters.ts'
import classes from './requests.module.css'
import { usePeople, useTagNames, useUnitNames } from './use-requests.ts'

const STATES = TICKET_STATES.map((state) => ({ value: state, label: states[state] }))
/** The fields whose sort has another name. */
const SORTED = { created: 'createdAt', changed: 'updatedAt' } as const
const SORTS = REQUEST_SORTS.map((sort) => ({
  value: sort,
  label: requestFields[sort === 'created' || sort === 'changed' ? SORTED[sort] : sort],
}))
const ORDERS = [
  { value: 'desc', label: requests.descending },
  { value: 'asc', label: requests.ascending },
]
const ASSIGNED = [
  { value: 'me', label: requests.assignedToMe },
  { value: 'nobody', label: requests.assignedToNobody },
]

/** The filters of the list. On a phone only the search is open at first, elsewhere the filters that people use most. */
export function RequestFilterBar({
  filters,
  onChange,
  isWide,
}: {
  filters: RequestFilters
  onChange: (changes: Partial<RequestFilters>) => void
  isWide: boolean
}) {
  const { site } = useSite()
  const people = usePeople()
  const units = useUnitNames()
  const tags = useTagNames()
  const addresses = (people.data ?? []).map((person) => ({ value: person.email, label: personLabel(person) }))
  const { q, ...others } = filters
  const [opened, { toggle }] = useDisclosure(isFiltered(others))
  const { reporter, createdSince, createdUntil } = filters
  const [moreOpened, { toggle: toggleMore }] = useDisclosure(
    isFiltered({ states: [], reporter, createdSince, createdUntil }),
  )

  return (
    <Stack gap="xs" mb="md" className={classes.screenOnly} role="search" aria-label={requests.filtersLabel}>
      <Group align="flex-end" gap="sm" wrap="nowrap">
        <div style={{ flex: 1 }}>
          <SearchInput value={q ?? ''} onChange={(text) => onChange({ q: text })} />
        </div>
        {isWide ? (
          <Button variant="default" onClick={toggleMore} aria-expanded={moreOpened}>
            {requests.moreFilters}
          </Button>
        ) : (
          <Button variant="default" onClick={toggle} aria-expanded={opened}>
            {requests.filtersLabel}
          </Button>
        )}
      </Group>
      <Collapse expanded={isWide || opened}>
        <Fieldset variant="unstyled" m={0} p={0} aria-label={requests.filtersLabel}>
          <SimpleGrid cols={{ base: 1, xs: 2, lg: 5 }} spacing="sm" verticalSpacing="xs">
            <MultiSelect
              label={requestFields.state}
              placeholder={filters.states.length === 0 ? requests.anyState : undefined}
              data={STATES}
              value={[...filters.states]}
              onChange={(chosen) => onChange({ states: chosen as TicketState[] })}
              clearable
              clearButtonProps={{ 'aria-label': format(common.clear, { what: requestFields.state }) }}
            />
            <NameSelect
              label={requestFields.priority}
              placeholder={requests.anyPriority}
              choices={PRIORITY_CHOICES}
              value={filters.priority === undefined ? null : String(filters.priority)}
              onChange={(chosen) => onChange({ priority: readPriority(chosen) ?? undefined })}
            />
            <NameSelect
              label={requestFields.assignee}
              placeholder={requests.anyAssignee}
              choices={[...ASSIGNED, ...addresses]}
              value={filters.assigned ?? filters.assignee ?? null}
              onChange={(chosen) => onChange(assigneeFilter(chosen))}
            />
            <NameSelect
              label={requestFields.unit}
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
          <Collapse expanded={!isWide || moreOpened} mt="xs">
            <SimpleGrid cols={{ base: 1, xs: 2, lg: 5 }} spacing="sm" verticalSpacing="xs">
              <NameSelect
                label={requestFields.reporter}
                placeholder={requests.anyReporter}
                choices={addresses}
                value={filters.reporter ?? null}
                onChange={(chosen) => onChange({ reporter: chosen ?? undefined })}
              />
              <TimeInput
                label={requests.createdSince}
                value={filters.createdSince}
                onChange={(createdSince) => onChange({ createdSince })}
                timeZone={site.timeZone}
                error={isEmptyPeriod(filters) && requests.emptyPeriod}
              />
              <TimeInput
                label={requests.createdUntil}
                value={filters.createdUntil}
                onChange={(createdUntil) => onChange({ createdUntil })}
                timeZone={site.timeZone}
              />
              {!isWide && <SortSelects filters={filters} onChange={onChange} />}
            </SimpleGrid>
          </Collapse>
        </Fieldset>
      </Collapse>
    </Stack>
  )
}

/** `me` and `nobody` are no addresses. */
function assigneeFilter(chosen: string | null): Partial<RequestFilters> {
  if (chosen === 'me' || chosen === 'nobody') return { assigned: chosen, assignee: undefined }
  return { assigned: undefined, assignee: chosen ?? undefined }
}

/** The order of the list where there are no columns to click on. */
function SortSelects({
  filters,
  onChange,
}: {
  filters: RequestFilters
  onChange: (changes: Partial<RequestFilters>) => void
}) {
  return (
    <Group gap="sm" wrap="nowrap" align="flex-end">
      <Select
        label={requests.sortBy}
        data={SORTS}
        value={filters.sort ?? DEFAULT_SORT}
        onChange={(sort) => onChange({ sort: (sort ?? DEFAULT_SORT) as RequestSort })}
        allowDeselect={false}
        style={{ flex: 1 }}
      />
      <Select
        aria-label={requests.sortOrder}
        data={ORDERS}
        value={filters.order ?? 'desc'}
        onChange={(order) => onChange({ order: (order ?? 'desc') as SortOrder })}
        allowDeselect={false}
        style={{ flex: 1 }}
      />
    </Group>
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
