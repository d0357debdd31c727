import { AppShell, Burger, Group, ScrollArea, Text } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import type { SignedIn } from '@plantroom/contract/roles'
import { type ReactNode, useRef } from 'react'
import { useLocation } from 'wouter'
import type { CurrentSite } from '../api/use-site.ts'
import { Link } from '../parts/link.tsx'
import { common, navigation } from '../texts/common.ts'
import { AccountMenu } from './account-menu.tsx'
import classes from './frame.module.css'
import { Logo } from './logo.tsx'
import { SiteNavigation } from './site-navigation.tsx'
import { SitePicker } from './site-picker.tsx'
import { usePageChange } from './use-page-change.ts'

/** What is around every page: which site, where to go from here, who is signed in. */
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
  // On a phone the menu covers the page that was chosen in it.
  usePageChange(path, () => {
    close()
    page.current?.focus({ preventScroll: true })
  })
  useHotkeys([['Escape', close]], [])

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
