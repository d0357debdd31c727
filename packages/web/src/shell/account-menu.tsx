import { Avatar, Menu, Text, UnstyledButton, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import type { SignedIn } from '@plantroom/contract/roles'
import { Link } from 'wouter'
import { useSignOut } from '../api/use-session.ts'
import type { CurrentSite } from '../api/use-site.ts'
import { navigation, roles } from '../texts/common.ts'

/** Who is signed in and as what, the colours, the way out. */
export function AccountMenu({ signedIn, current }: { signedIn: SignedIn; current: CurrentSite | undefined }) {
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const signOut = useSignOut()
  const { email } = signedIn.user

  return (
    <Menu position="bottom-end" width={260} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <UnstyledButton aria-label={`${navigation.account}: ${email}`} ml="auto">
          <Avatar size={34} radius="xl" color="cyan" variant="filled">
            {email.slice(0, 1).toUpperCase()}
          </Avatar>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" truncate>
            {email}
          </Text>
          {current && <Text size="xs">{roles[current.site.role]}</Text>}
        </Menu.Label>
        <Menu.Item component={Link} href="/?all">
          {navigation.sites}
        </Menu.Item>
        <Menu.Item component={Link} href="/account">
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
