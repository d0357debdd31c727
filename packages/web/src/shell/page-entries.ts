import { isAtLeast, type Role, type SignedIn, type SignedInOrganization } from '@plantroom/contract/roles'
import type { Icon } from '@tabler/icons-react'
import IconActivity from '@tabler/icons-react/dist/esm/icons/IconActivity.mjs'
import IconAdjustmentsHorizontal from '@tabler/icons-react/dist/esm/icons/IconAdjustmentsHorizontal.mjs'
import IconBell from '@tabler/icons-react/dist/esm/icons/IconBell.mjs'
import IconBellCog from '@tabler/icons-react/dist/esm/icons/IconBellCog.mjs'
import IconBroadcast from '@tabler/icons-react/dist/esm/icons/IconBroadcast.mjs'
import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs'
import IconBuildingCommunity from '@tabler/icons-react/dist/esm/icons/IconBuildingCommunity.mjs'
import IconCalendar from '@tabler/icons-react/dist/esm/icons/IconCalendar.mjs'
import IconChartLine from '@tabler/icons-react/dist/esm/icons/IconChartLine.mjs'
import IconCpu from '@tabler/icons-react/dist/esm/icons/IconCpu.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import IconPackage from '@tabler/icons-react/dist/esm/icons/IconPackage.mjs'
import IconPlugConnected from '@tabler/icons-react/dist/esm/icons/IconPlugConnected.mjs'
import IconTool from '@tabler/icons-react/dist/esm/icons/IconTool.mjs'
import IconUserShield from '@tabler/icons-react/dist/esm/icons/IconUserShield.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import { navigation as texts } from '../texts/common.ts'

/** A page of the navigation, of the palette and of the shortcuts. */
export interface PageEntry {
  /** The end of its address. */
  below: string
  label: string
  icon: Icon
  needs?: Role
  /** Pressed after `g`, it opens the page. */
  key?: string
}

/** Where the overview of a site is. */
export const OVERVIEW: PageEntry = { below: '', label: texts.overview, icon: IconLayoutDashboard, key: 'o' }

/** The pages of a site, below its overview. */
export const SITE_PAGES: readonly PageEntry[] = [
  { below: '/alerts', label: texts.alerts, icon: IconBell, key: 'a' },
  { below: '/charts', label: texts.charts, icon: IconChartLine, key: 'c' },
  { below: '/calendar', label: texts.calendar, icon: IconCalendar, key: 't' },
  { below: '/schedules', label: texts.schedules, icon: IconAdjustmentsHorizontal, key: 's' },
  { below: '/reports', label: texts.reports, icon: IconHistory, key: 'l' },
  { below: '/requests', label: texts.requests, icon: IconTool, key: 'r' },
]

export const SITE_SETTINGS: readonly PageEntry[] = [
  { below: '/settings/packages', label: texts.packages, icon: IconPackage },
  { below: '/settings/site', label: texts.site, icon: IconBuilding },
  { below: '/settings/people', label: texts.people, icon: IconUsers },
  { below: '/settings/systems', label: texts.systems, icon: IconCpu },
  { below: '/settings/outbox', label: texts.outbox, icon: IconMail, needs: 'manager' },
]

/** The list of all sites, of every organization. */
export const ALL_SITES = { to: '/?all', label: texts.sites, icon: IconBuildingCommunity, key: 'h' } as const

/** The pages of an organization. They need no site. */
export const ORGANIZATION_PAGES: readonly PageEntry[] = [
  { below: '/dispatches', label: texts.dispatches, icon: IconBroadcast, needs: 'manager', key: 'd' },
  { below: '/openadr', label: texts.openadr, icon: IconPlugConnected, needs: 'manager' },
  { below: '/members', label: texts.members, icon: IconUserShield, needs: 'admin', key: 'm' },
  { below: '/keys', label: texts.keys, icon: IconKey, needs: 'admin' },
  { below: '/alert-settings', label: texts.alertSettings, icon: IconBellCog, needs: 'admin' },
  { below: '/activity', label: texts.activity, icon: IconActivity, needs: 'admin' },
]

/** The pages that a role opens. */
export const openTo = (entries: readonly PageEntry[], role: Role | undefined): PageEntry[] =>
  entries.filter(({ needs }) => !needs || isAtLeast(role, needs))

/** The highest role that a person has in an organization, on any of its sites. */
export function highestRole({ isAdmin, sites }: SignedInOrganization): Role | undefined {
  if (isAdmin) return 'admin'
  return sites.some(({ role }) => isAtLeast(role, 'manager')) ? 'manager' : sites[0]?.role
}

/** The organizations that have pages for a person. */
export const organizationsOf = ({ organizations }: SignedIn): SignedInOrganization[] =>
  organizations.filter(({ isAdmin, sites }) => isAdmin || sites.length > 0)
