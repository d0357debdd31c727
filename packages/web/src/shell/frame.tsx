import { Burger, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { SignedIn } from '@plantroom/contract/roles'
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useRef } from 'react'
import { useLocation } from 'wouter'
import { readsSettled } from '../api/fetch-in-time.ts'
import type { CurrentPlace } from '../api/use-site.ts'
import { HelpButton } from '../parts/help-button.tsx'
import { Link } from '../parts/link.tsx'
import { Logo } from '../parts/logo.tsx'
import { useTitlePlace } from '../parts/page-title.ts'
import { common, navigation } from '../texts/common.ts'
import { useAlertWatch } from './alert-watch.ts'
import classes from './frame.module.css'
import { Initial } from './initial.tsx'
import { LastStateNote } from './last-state-note.tsx'
import { Navigation } from './navigation.tsx'
import { organizationsOf } from './page-entries.ts'
import { QuickAccess } from './quick-access.tsx'

// What opens over the page is a sixth of all script: the content of the page comes before it.
const menus = () => readsSettled().then(() => import('./frame-menus.tsx'))
const SitePicker = lazy(async () => ({ default: (await menus()).SitePicker }))
const AccountMenu = lazy(async () => ({ default: (await menus()).AccountMenu }))

/** The frame of every page: site picker, navigation and account menu. */
export function Frame({
  signedIn,
  place,
  children,
}: {
  signedIn: SignedIn
  place?: CurrentPlace
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
  const hasSeveral = signedIn.organizations.length > 1
  useTitlePlace(place?.site?.name, hasSeveral ? place?.organization.name : undefined)
  useAlertWatch(signedIn)
  const hasPages = place !== undefined || organizationsOf(signedIn).length > 0

  return (
    <>
      <a className={classes.skip} href="#page">
        {navigation.skip}
      </a>
      <header className={classes.header} data-print="never">
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          {hasPages && (
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
          <Suspense fallback={<MenuRoom place={place} />}>
            <SitePicker signedIn={signedIn} place={place} />
          </Suspense>
          <QuickAccess signedIn={signedIn} place={place} onClose={close} />
          <HelpButton />
          <Suspense fallback={<Initial of={signedIn.user.email} />}>
            <AccountMenu signedIn={signedIn} place={place} />
          </Suspense>
        </Group>
      </header>
      {hasPages && (
        <nav
          aria-label={navigation.label}
          className={classes.navigation}
          data-closed={!opened || undefined}
          data-print="never"
        >
          <Navigation signedIn={signedIn} place={place} />
        </nav>
      )}
      <main id="page" ref={page} tabIndex={-1} className={classes.page}>
        <div className={classes.content}>{children}</div>
        <LastStateNote />
      </main>
    </>
  )
}

/** Takes the room of the menus until they are loaded. */
const MenuRoom = ({ place }: { place: CurrentPlace | undefined }) => (
  <Text truncate className={classes.picker}>
    {place?.site?.name}
  </Text>
)

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
