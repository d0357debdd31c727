import {
  AppShell,
  Avatar,
  Burger,
  Group,
  Menu,
  ScrollArea,
  Select,
  Text,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import type { SignedIn } from '@plantroom/contract/roles'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { Link as Route, useLocation } from 'wouter'
import { useSignOut } from '../api/use-session.ts'
import { type CurrentSite, sitePath } from '../api/use-site.ts'
import { Logo } from '../parts/front-door.tsx'
import { HelpButton } from '../parts/help-button.tsx'
import { Link } from '../parts/link.tsx'
import { useTitlePlace } from '../parts/page-title.ts'
import { common, navigation, roles } from '../texts/common.ts'
import { format } from '../texts/format.ts'
import { useAlertWatch } from './alert-watch.ts'
import classes from './frame.module.css'
import { QuickAccess } from './quick-access.tsx'
import { SiteNavigation } from './site-navigation.tsx'

/** A thousand sites would be slow to open. */
const MOST_LISTED = 100

/** The frame of every page: site picker, navigation and account menu. */
export function Frame({
  signedIn,
  current,
  children,
}: {
  signedIn: SignedIn
  current?: CurrentSite
  children: ReactNode
}) {
  const [opened, { toggle, close }] = useDisclosure()
  const [path] = useLocation()
  const page = useRef<HTMLElement>(null)
  // On a phone the menu covers the chosen page.
  usePageChange(path, () => {
    close()
    page.current?.focus({ preventScroll: true })
  })
  useHotkeys([['Escape', close]], [])
  const hasSeveral = signedIn.organizations.length > 1
  useTitlePlace(current?.site.name, hasSeveral ? current?.organization.name : undefined)
  useAlertWatch(signedIn)

  return (
    <AppShell
      header={{ height: 56 }}
      {...(current && { navbar: { width: 248, breakpoint: 'md', collapsed: { mobile: !opened } } })}
      padding="md"
    >
      <a className={classes.skip} href="#page">
        {navigation.skip}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          {current && (
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="md"
              size="sm"
              aria-label={navigation.menu}
              aria-expanded={opened}
            />
          )}
          <Link to="/" underline="never" c="inherit" aria-label={common.product}>
            <Group gap={8} wrap="nowrap">
              <Logo />
              <Text fw={700} visibleFrom="sm">
                {common.product}
              </Text>
            </Group>
          </Link>
          <SitePicker signedIn={signedIn} current={current} />
          <QuickAccess signedIn={signedIn} current={current} />
          <HelpButton />
          <AccountMenu signedIn={signedIn} current={current} />
        </Group>
      </AppShell.Header>
      {current && (
        <AppShell.Navbar p="sm" aria-label={navigation.label} className={classes.navigation} mod={{ closed: !opened }}>
          <ScrollArea>
            <SiteNavigation />
          </ScrollArea>
        </AppShell.Navbar>
      )}
      <AppShell.Main id="page" ref={page} tabIndex={-1} className={classes.page}>
        <div className={classes.content}>{children}</div>
      </AppShell.Main>
    </AppShell>
  )
}

/** The name of the site, or a picker when there are several. */
function SitePicker({ signedIn, current }: { signedIn: SignedIn; current: CurrentSite | undefined }) {
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
      // The search finds the others.
      limit={MOST_LISTED}
      allowDeselect={false}
      style={{ flex: 1, minWidth: 0 }}
      maw={360}
    />
  )
}

/** The account menu: role, colors and sign-out. */
function AccountMenu({ signedIn, current }: { signedIn: SignedIn; current: CurrentSite | undefined }) {
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const signOut = useSignOut()
  const { email } = signedIn.user

  return (
    <Menu position="bottom-end" width={260} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <UnstyledButton aria-label={format(navigation.accountOf, { email })}>
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

/** Calls `onChange` after navigation, not for the first page. Scrolls to the top after following a link. */
function usePageChange(path: string, onChange: () => void): void {
  const before = useRef(path)
  const wentBack = useRef(false)
  const notify = useEffectEvent(onChange)

  useEffect(() => {
    const note = () => {
      wentBack.current = true
    }
    window.addEventListener('popstate', note)
    return () => window.removeEventListener('popstate', note)
  }, [])

  useEffect(() => {
    if (before.current === path) return
    before.current = path
    // The browser restores the scroll position after going back.
    if (!wentBack.current) window.scrollTo(0, 0)
    wentBack.current = false
    notify()
  }, [path])
}
