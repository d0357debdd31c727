import { Button, Collapse, Fieldset, Group, MultiSelect, SimpleGrid, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { TICKET_STATES, type TicketState } from '@plantroom/contract/tickets'
import { NameSelect, named } from '../../parts/name-select.tsx'
import { common } from '../../texts/common.ts'
import { requests, states } from '../../texts/requests.ts'
import { personLabel } from './person-text.ts'
import { isFiltered, PRIORITIES, type RequestFilters } from './request-filters.ts'
import { SearchInput } from './search-input.tsx'
import { usePeople, useTagNames, useUnitNames } from './use-names.ts'

const STATES = TICKET_STATES.map((state) => ({ value: state, label: states[state] }))
const PRIORITY_CHOICES = PRIORITIES.map((priority) => named(String(priority)))

/** What to show of all requests. On a phone only the search is open at first. */
export function RequestFilterBar({
  filters,
  onChange,
  roomy,
}: {
  filters: RequestFilters
  onChange: (changes: Partial<RequestFilters>) => void
  roomy: boolean
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
        {!roomy && (
          <Button variant="default" onClick={toggle} aria-expanded={opened}>
            {requests.filtersLabel}
          </Button>
        )}
      </Group>
      <Collapse expanded={roomy || opened}>
        <Fieldset variant="unstyled" m={0} p={0} aria-label={requests.filtersLabel}>
          <SimpleGrid cols={{ base: 1, xs: 2, lg: 5 }} spacing="sm" verticalSpacing="xs">
            <MultiSelect
              label={requests.state}
              placeholder={filters.states.length === 0 ? requests.anyState : undefined}
              data={STATES}
              value={[...filters.states]}
              onChange={(chosen) => onChange({ states: chosen as TicketState[] })}
              clearable
              clearButtonProps={{ 'aria-label': common.clear(requests.state) }}
            />
            <NameSelect
              label={requests.priority}
              placeholder={requests.anyPriority}
              choices={PRIORITY_CHOICES}
              value={filters.priority === undefined ? null : String(filters.priority)}
              onChange={(chosen) => onChange({ priority: chosen === null ? undefined : Number(chosen) })}
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
