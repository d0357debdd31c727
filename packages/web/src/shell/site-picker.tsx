import { Select, Text } from '@mantine/core'
import type { SignedIn } from '@plantroom/contract/roles'
import { useLocation } from 'wouter'
import { type CurrentSite, sitePath } from '../api/use-site.ts'
import { navigation } from '../texts/common.ts'

/** Which site the page is about; with more than one, the way to another. */
export function SitePicker({ signedIn, current }: { signedIn: SignedIn; current: CurrentSite | undefined }) {
  const [, go] = useLocation()
  const groups = signedIn.organizations.map(({ id: orgId, name, sites }) => ({
    group: name,
    items: sites.map(({ id, name }) => ({ value: sitePath(orgId, id), label: name })),
  }))
  const count = groups.reduce((sum, { items }) => sum + items.length, 0)
  const value = current ? sitePath(current.organization.id, current.site.id) : null

  if (count <= 1) {
    return (
      <Text truncate style={{ flex: 1, minWidth: 0 }}>
        {current?.site.name}
      </Text>
    )
  }
  return (
    <Select
      aria-label={navigation.sites}
      placeholder={navigation.sites}
      data={groups}
      value={value}
      onChange={(chosen) => chosen && go(chosen)}
      searchable
      allowDeselect={false}
      style={{ flex: 1, minWidth: 0 }}
      maw={360}
    />
  )
}
