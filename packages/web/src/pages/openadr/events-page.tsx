import { Stack } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo } from 'react'
import { usePages } from '../../api/use-pages.ts'
import { useOrganization } from '../../api/use-site.ts'
import { useNow } from '../../live/use-now.ts'
import { useFilters } from '../../parts/address-filters.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { openadrEvents as texts } from '../../texts/openadr-events.ts'
import { EventCard } from './event-card.tsx'
import { EventsNow } from './events-now.tsx'
import { FilterBar } from './filter-bar.tsx'
import { EVENT_FILTERS } from './filters.ts'
import classes from './openadr.module.css'
import { OpenadrTabs } from './openadr-tabs.tsx'
import { useMeanings } from './use-meanings.ts'

const PAGE = 20
const EVERY_MS = 5000

/** The events of all programs, on a timeline and as a list with what became of each. */
export function EventsPage() {
  const { organization, timeZone } = useOrganization()
  const { filters, change, clear } = useFilters(EVENT_FILTERS)
  const now = useNow(EVERY_MS)
  const meaningOf = useMeanings()
  const sites = useMemo(() => new Map(organization.sites.map(({ id, name }) => [id, name])), [organization])
  const query = usePages('listOpenadrEvents', { query: { ...filters, limit: PAGE } }, ({ events }) => events, {
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  })
  return (
    <ListPage
      texts={texts}
      timeZone={timeZone}
      query={query}
      filters={filters}
      onClear={clear}
      actions={null}
      bar={
        <>
          <OpenadrTabs />
          <FilterBar
            filters={filters}
            states={texts.states}
            onChange={(choice) => change((before) => ({ ...before, ...choice }))}
          />
          <EventsNow programId={filters.programId} sites={sites} meaningOf={meaningOf} now={now} />
        </>
      }
    >
      {(events) => (
        <Stack component="ul" className={classes.plain} aria-label={texts.list}>
          {events.map((event) => (
            <li key={event.id}>
              <EventCard event={event} sites={sites} meaningOf={meaningOf} now={now} />
            </li>
          ))}
        </Stack>
      )}
    </ListPage>
  )
}
