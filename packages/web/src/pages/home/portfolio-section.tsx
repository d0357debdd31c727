import { Alert, Group, Paper, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import type { SignedInOrganization } from '@plantroom/contract/roles'
import { useDeferredValue } from 'react'
import { useSearchParams } from 'wouter'
import { useNow } from '../../live/use-now.ts'
import { ownTimeZone } from '../../own-time-zone.ts'
import { Empty } from '../../parts/notices.tsx'
import { NameSelect, named } from '../../parts/selects.tsx'
import { countTags } from '../../parts/site-picker.tsx'
import { SmallButton } from '../../parts/small-button.tsx'
import { clockTime } from '../../parts/time.ts'
import { common } from '../../texts/common.ts'
import { format, formatNumber } from '../../texts/format.ts'
import { home as texts, portfolio as words } from '../../texts/home.ts'
import { siteTags } from '../../texts/site-tags.ts'
import { describePower } from './describe-power.ts'
import classes from './home.module.css'
import { OrganizationSites } from './organization-sites.tsx'
import {
  isNarrowed as isNarrowedBy,
  matchingRows,
  type PortfolioView,
  readView,
  rowsOf,
  type SiteRow,
  SORTS,
  type Sort,
  TILES,
  type Totals,
  totalsOf,
  writeView,
} from './portfolio.ts'
import { type OverviewQuery, STALE_MS, useOverviews } from './use-overviews.ts'

/** From this many sites on, sorting and searching help. */
const MANY = 4

/** What is held, in trouble, offline and open at every site, by organization. */
export function Portfolio({ organizations }: { organizations: readonly SignedInOrganization[] }) {
  const [parameters, setParameters] = useSearchParams()
  const view = readView(parameters)
  const change = (changes: Partial<PortfolioView>) =>
    setParameters((before) => writeView(before, changes), { replace: true })
  const queries = useOverviews(organizations)
  const groups = organizations.map((organization, index) => ({
    organization,
    query: queries[index],
    rows: rowsOf(organization, queries[index]?.data?.sites),
  }))
  // Typing stays quick while a thousand rows are filtered.
  const text = useDeferredValue(view.text)
  const all = groups.flatMap(({ rows }) => rows)
  const isNarrowed = isNarrowedBy(view)
  const tags = [...countTags(all.flatMap(({ facts }) => facts ?? [])).keys()]
  const found = matchingRows(all, { ...view, text }).length

  return (
    <Stack gap="lg">
      <Freshness queries={queries} />
      {all.length > 0 && (
        <TotalTiles totals={totalsOf(all)} view={view} onChange={change} isLoaded={isLoaded(groups)} />
      )}
      {(all.length >= MANY || view.tag !== undefined) && (
        <Tools view={view} tags={tags} onChange={change} found={isNarrowed ? found : undefined} />
      )}
      {isNarrowed && found === 0 && <Empty title={words.noMatch}>{words.noMatchHint}</Empty>}
      {groups.map(({ organization, query }) => (
        <OrganizationSites
          key={organization.id}
          organization={organization}
          overview={query?.data?.sites}
          sort={view.sort}
          filter={view.filter}
          tag={view.tag}
          text={text}
          error={query?.data ? undefined : (query?.error ?? undefined)}
        />
      ))}
    </Stack>
  )
}

/** Organizations without sites are never asked about. */
const isLoaded = (groups: readonly { rows: readonly SiteRow[]; query: OverviewQuery | undefined }[]) =>
  groups.every(({ rows, query }) => rows.length === 0 || query?.data !== undefined)

/** Says since when the page has not heard from the service. Nothing while it is current. */
function Freshness({ queries }: { queries: readonly OverviewQuery[] }) {
  const now = useNow()
  const answered = queries.filter(({ data }) => data !== undefined)
  const oldest = Math.min(...answered.map(({ dataUpdatedAt }) => dataUpdatedAt))
  const isStale = answered.some(({ failureCount }) => failureCount > 0) || now - oldest > STALE_MS
  return (
    <div role="status" className={classes.freshness}>
      {answered.length > 0 && isStale && (
        <Alert color="yellow" variant="light">
          {format(words.stale, { time: clockTime(oldest, ownTimeZone()) })}
        </Alert>
      )}
    </div>
  )
}

const TONE: Readonly<Record<(typeof TILES)[number], string>> = {
  held: 'cyan',
  trouble: 'red',
  alerts: 'red',
  offline: 'yellow',
  requests: 'gray',
}

/** The totals of all sites. Each one shows the sites behind it. */
function TotalTiles({
  totals,
  view,
  onChange,
  isLoaded,
}: {
  totals: Totals
  view: PortfolioView
  onChange: (changes: Partial<PortfolioView>) => void
  isLoaded: boolean
}) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm" role="group" aria-label={words.totals}>
      {TILES.map((filter) => {
        const isChosen = view.filter === filter
        return (
          <Paper
            key={filter}
            withBorder
            component="button"
            type="button"
            className={classes.tile}
            mod={{ chosen: isChosen, tone: isLoaded && totals[filter] > 0 ? TONE[filter] : undefined }}
            aria-pressed={isChosen}
            onClick={() => onChange({ filter: isChosen ? undefined : filter })}
          >
            <Text size="sm">{words.filters[filter]}</Text>
            <div className={classes.count}>{isLoaded ? formatNumber(totals[filter]) : common.none}</div>
          </Paper>
        )
      })}
      <Paper withBorder className={classes.tile}>
        <Text size="sm">{words.powerNow}</Text>
        <div className={classes.count}>
          {totals.kilowatts === undefined ? common.none : describePower(totals.kilowatts, 'kW')}
        </div>
        {totals.powerUnknown > 0 && (
          <Text size="xs" c="dimmed">
            {format(words.powerUnknown, { count: totals.powerUnknown })}
          </Text>
        )}
        {(totals.limited > 0 || view.filter === 'limited') && (
          <SmallButton
            aria-pressed={view.filter === 'limited'}
            onClick={() => onChange({ filter: view.filter === 'limited' ? undefined : 'limited' })}
          >
            {format(words.limited, { count: totals.limited })}
          </SmallButton>
        )}
      </Paper>
    </SimpleGrid>
  )
}

function Tools({
  view,
  tags,
  onChange,
  found,
}: {
  view: PortfolioView
  tags: readonly string[]
  onChange: (changes: Partial<PortfolioView>) => void
  /** How many sites match; `undefined` while all are shown. */
  found: number | undefined
}) {
  return (
    <Group align="flex-end" gap="sm">
      <TextInput
        type="search"
        label={words.search}
        placeholder={words.searchHint}
        value={view.text}
        onChange={(event) => onChange({ text: event.currentTarget.value })}
        style={{ flex: '1 1 220px' }}
        maw={420}
      />
      <Select
        label={words.sort}
        data={SORTS.map((sort) => ({ value: sort, label: words.sorts[sort] }))}
        value={view.sort}
        onChange={(sort) => onChange({ sort: sort as Sort })}
        allowDeselect={false}
        w={180}
      />
      {(tags.length > 0 || view.tag !== undefined) && (
        <NameSelect
          label={siteTags.tag}
          placeholder={siteTags.allTags}
          choices={tags.map(named)}
          value={view.tag ?? null}
          onChange={(tag) => onChange({ tag: tag ?? undefined })}
        />
      )}
      <Text role="status" c="dimmed" pb={8}>
        {found !== undefined && format(texts.siteCount, { count: found })}
      </Text>
    </Group>
  )
}
