import { Stack, Text, TextInput } from '@mantine/core'
import { useSearchParams } from 'wouter'
import { useSite } from '../../api/use-site.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { RequestsTurnedOff } from '../../parts/requests-off.tsx'
import { people } from '../../texts/people.ts'
import { CodesSection } from './codes-section.tsx'
import { PeopleSection } from './people-section.tsx'
import { UnitsSection } from './units-section.tsx'

/** The units and people that requests of the site refer to. */
export function PeoplePage() {
  const { site, may, path } = useSite()
  const [query, setQuery] = useSearchParams()
  const search = query.get('q') ?? ''

  if (!site.maintenanceRequests) {
    return (
      <>
        <PageHead title={people.title} />
        <RequestsTurnedOff settings={may('admin') && path('/settings/site')} />
      </>
    )
  }
  return (
    <>
      <PageHead title={people.title}>{people.intro}</PageHead>
      <Stack gap="xl">
        {!may('manager') && <Text>{people.forManagers}</Text>}
        <TextInput
          type="search"
          label={people.search}
          description={people.searchHint}
          value={search}
          onChange={({ currentTarget: { value } }) => setQuery(value ? { q: value } : {}, { replace: true })}
          maw={360}
        />
        <PeopleSection search={search} />
        <UnitsSection search={search} />
        {may('manager') && <CodesSection />}
      </Stack>
    </>
  )
}
