import { Kbd, Text, UnstyledButton } from '@mantine/core'
import { isAtLeast } from '@plantroom/contract/role-order'
import type { SignedIn } from '@plantroom/contract/roles'
import { lazy, Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import { type CurrentPlace, organizationPath, sitePath } from '../api/use-site.ts'
import { controlKey, useShortcuts } from '../parts/use-shortcuts.ts'
import { navigation } from '../texts/common.ts'
import { format } from '../texts/format.ts'
import { palette, shortcuts } from '../texts/palette.ts'
import classes from './frame.module.css'
import {
  ALL_SITES,
  highestRole,
  ORGANIZATION_PAGES,
  OVERVIEW,
  openTo,
  organizationsOf,
  type PageEntry,
  SITE_PAGES,
  SITE_SETTINGS,
} from './page-entries.ts'
import type { Entry } from './palette/entries.ts'

const Palette = lazy(async () => ({ default: (await import('./palette/palette.tsx')).Palette }))
const ShortcutHelp = lazy(async () => ({ default: (await import('./shortcut-help.tsx')).ShortcutHelp }))

/** The command palette with its button, and the keyboard shortcuts. */
export function QuickAccess({
  signedIn,
  place,
  onClose,
}: {
  signedIn: SignedIn
  place: CurrentPlace | undefined
  /** Closes the menu of a phone. */
  onClose: () => void
}) {
  // Counts how often it was asked for; it is loaded the first time.
  const [asked, setAsked] = useState(0)
  const [help, setHelp] = useState<'never' | 'shown' | 'closed'>('never')
  const [, go] = useLocation()
  const open = () => setAsked((count) => count + 1)
  const targets = targetsOf(signedIn, place)
  useShortcuts([
    { keys: ['k'], control: true, inFields: true, does: shortcuts.what.palette, run: open },
    { keys: ['Escape'], inFields: true, does: shortcuts.what.close, run: onClose },
    { keys: ['?'], does: shortcuts.what.help, run: () => setHelp('shown') },
    ...targets.flatMap(({ key, label, to }) =>
      key ? [{ keys: ['g', key] as const, does: format(shortcuts.goTo, { page: label }), run: () => go(to) }] : [],
    ),
  ])

  const own = [
    ...targets.map(pageEntry),
    ...actionEntries(place),
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
        {asked > 0 && <Palette asked={asked} signedIn={signedIn} siteId={place?.site?.id} own={own} />}
        {help !== 'never' && <ShortcutHelp opened={help === 'shown'} onClose={() => setHelp('closed')} />}
      </Suspense>
    </>
  )
}

/** A page of the console, with its address. */
interface Target extends Pick<PageEntry, 'label' | 'key'> {
  to: string
  /** Where it is. */
  within?: string
}

/** The pages that the person may open: of the current site first, then of organizations, then of the person. */
function targetsOf(signedIn: SignedIn, place: CurrentPlace | undefined): Target[] {
  const { organization, site } = place ?? {}
  const ofSite =
    organization && site
      ? openTo([OVERVIEW, ...SITE_PAGES, ...SITE_SETTINGS], site.role).map(({ below, label, key }) => {
          return { to: sitePath(organization.id, site.id, below), label, key, within: site.name }
        })
      : []
  const ofOrganizations = organizationsOf(signedIn).flatMap((each) =>
    openTo(ORGANIZATION_PAGES, highestRole(each)).map(({ below, label, key }) => {
      // A key can only lead to one page.
      const isCurrent = each.id === (organization ?? organizationsOf(signedIn)[0])?.id
      return { to: organizationPath(each.id, below), label, key: isCurrent ? key : undefined, within: each.name }
    }),
  )
  return [...ofSite, ALL_SITES, ...ofOrganizations, { to: '/account', label: navigation.account }]
}

const pageEntry = ({ to, label, within }: Target): Entry => ({
  id: `page ${to}`,
  kind: 'pages',
  label,
  description: within,
  to,
})

/** What a person can do at the current site. Each opens the page with its dialog or button. */
function actionEntries({ organization, site }: Partial<CurrentPlace> = {}): Entry[] {
  if (!organization || !site || !isAtLeast(site.role, 'manager')) return []
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
