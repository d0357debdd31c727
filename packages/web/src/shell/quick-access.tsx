import { Kbd, Text, UnstyledButton } from '@mantine/core'
import { isAtLeast } from '@plantroom/contract/role-order'
import type { SignedIn } from '@plantroom/contract/roles'
import { lazy, Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import { type CurrentSite, dispatchesPath, sitePath } from '../api/use-site.ts'
import { navigation } from '../texts/common.ts'
import { format } from '../texts/format.ts'
import { palette } from '../texts/palette.ts'
import classes from './frame.module.css'
import type { Entry } from './palette/entries.ts'
import type { LetterShortcut } from './shortcuts.ts'
import { PAGES, SETTINGS } from './site-navigation.tsx'
import { controlKey, useShortcuts } from './use-shortcuts.ts'

const Palette = lazy(async () => ({ default: (await import('./palette/palette.tsx')).Palette }))
const ShortcutHelp = lazy(async () => ({ default: (await import('./shortcut-help.tsx')).ShortcutHelp }))

/** The command palette with its button, and the keyboard shortcuts. */
export function QuickAccess({ signedIn, current }: { signedIn: SignedIn; current: CurrentSite | undefined }) {
  // Counts how often it was asked for; it is loaded the first time.
  const [asked, setAsked] = useState(0)
  const [help, setHelp] = useState<'never' | 'shown' | 'closed'>('never')
  const [, go] = useLocation()
  const open = () => setAsked((count) => count + 1)
  useShortcuts({
    onPalette: open,
    onLetter(shortcut) {
      if (shortcut === 'help') return setHelp('shown')
      const to = targetOf(shortcut, current)
      if (to !== undefined) go(to)
    },
  })

  const own = [
    ...pageEntries(signedIn, current),
    ...actionEntries(current),
    { id: 'shortcuts', kind: 'actions' as const, label: palette.actions.shortcuts, run: () => setHelp('shown') },
  ]
  return (
    <>
      <UnstyledButton className={classes.search} onClick={open} aria-haspopup="dialog">
        <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
          <circle cx="7" cy="7" r="4.5" fill="none" stroke="currentColor" strokeWidth="1.6" />
          <path d="M10.5 10.5 14 14" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
        </svg>
        <Text size="sm" component="span" className={classes.searchText}>
          {navigation.search}
        </Text>
        <Kbd size="xs" visibleFrom="lg" aria-hidden>
          {format(navigation.searchKey, { control: controlKey() })}
        </Kbd>
      </UnstyledButton>
      <Suspense>
        {asked > 0 && <Palette asked={asked} signedIn={signedIn} current={current} own={own} />}
        {help !== 'never' && <ShortcutHelp opened={help === 'shown'} onClose={() => setHelp('closed')} />}
      </Suspense>
    </>
  )
}

const BELOW: Readonly<Partial<Record<LetterShortcut, string>>> = {
  overview: '',
  alerts: '/alerts',
  reports: '/reports',
  requests: '/requests',
}

function targetOf(shortcut: LetterShortcut, current: CurrentSite | undefined): string | undefined {
  const below = BELOW[shortcut]
  if (below === undefined) return '/?all'
  return current && sitePath(current.organization.id, current.site.id, below)
}

/** The pages that the person may open, those of the current site first. */
function pageEntries({ organizations }: SignedIn, current: CurrentSite | undefined): Entry[] {
  const entry = (to: string, label: string, description?: string): Entry => ({
    id: `page ${to}`,
    kind: 'pages',
    label,
    description,
    to,
  })
  const ofSite = current
    ? [{ below: '', label: navigation.overview }, ...PAGES, ...SETTINGS]
        .filter(
          ({ needs }: { needs?: (typeof PAGES)[number]['needs'] }) => !needs || isAtLeast(current.site.role, needs),
        )
        .map(({ below, label }) =>
          entry(sitePath(current.organization.id, current.site.id, below), label, current.site.name),
        )
    : []
  const fleets = organizations.filter(({ sites }) => sites.some(({ role }) => isAtLeast(role, 'manager')))
  return [
    ...ofSite,
    entry('/?all', navigation.sites),
    ...fleets.map(({ id, name }) => entry(dispatchesPath(id), navigation.dispatches, name)),
    entry('/account', navigation.account),
  ]
}

/** What a person can do at the current site. Each opens the page with its dialog or button. */
function actionEntries(current: CurrentSite | undefined): Entry[] {
  if (!current || !isAtLeast(current.site.role, 'manager')) return []
  const { organization, site } = current
  const action = (id: string, label: string, below: string): Entry => ({
    id,
    kind: 'actions',
    label,
    description: site.name,
    to: sitePath(organization.id, site.id, below),
  })
  return [
    action('release-all', palette.actions.releaseAll, ''),
    ...(site.maintenanceRequests ? [action('new-request', palette.actions.newRequest, '/requests')] : []),
  ]
}
