import { Menu, Select, Text, UnstyledButton, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import type { SignedIn } from '@plantroom/contract/roles'
import { Link as Route, useLocation } from 'wouter'
import { useSignOut } from '../api/use-session.ts'
import { type CurrentPlace, sitePath } from '../api/use-site.ts'
import { navigation, roles } from '../texts/common.ts'
import { format } from '../texts/format.ts'
import classes from './frame.module.css'
import { Initial } from './initial.tsx'

/** A thousand sites would be slow to open. */
const MOST_LISTED = 100

/** The name of the site, or a picker when there are several. */
export function SitePicker({ signedIn, place }: { signedIn: SignedIn; place: CurrentPlace | undefined }) {
  const [, go] = useLocation()
  const groups = signedIn.organizations.map(({ id: orgId, name, sites }) => ({
    group: name,
    items: sites.map(({ id, name }) => ({ value: sitePath(orgId, id), label: name })),
  }))
  const count = groups.reduce((sum, { items }) => sum + items.length, 0)
  const value = place?.site ? sitePath(place.organization.id, place.site.id) : null

  if (count <= 1) {
    return (
      <Text truncate className={classes.picker}>
        {place?.site?.name}
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
      // The search finds the others.
      limit={MOST_LISTED}
      allowDeselect={false}
      size="sm"
      className={classes.picker}
    />
  )
}

/** The account menu: role, colors and sign-out. */
export function AccountMenu({ signedIn, place }: { signedIn: SignedIn; place: CurrentPlace | undefined }) {
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const signOut = useSignOut()
  const { email } = signedIn.user

  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <UnstyledButton aria-label={format(navigation.accountOf, { email })}>
          <Initial of={email} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" truncate>
            {email}
          </Text>
          {place?.site && <Text size="xs">{roles[place.site.role]}</Text>}
        </Menu.Label>
        <Menu.Item component={Route} href="/?all">
          {navigation.sites}
        </Menu.Item>
        <Menu.Item component={Route} href="/account">
          {navigation.account}
        </Menu.Item>
        <Menu.Item onClick={() => setColorScheme(scheme === 'dark' ? 'light' : 'dark')}>
          {scheme === 'dark' ? navigation.light : navigation.dark}
        </Menu.Item>
        <Menu.Item component="a" href="/docs/" target="_blank" rel="noopener">
          {navigation.reference}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => signOut.mutate()} disabled={signOut.isPending}>
          {navigation.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
