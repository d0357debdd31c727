import { NavLink, Stack, Text } from '@mantine/core'
import type { Role } from '@plantroom/contract/roles'
import { Link, useLocation } from 'wouter'
import { useDevices } from '../api/use-devices.ts'
import { dispatchesPath, useSite } from '../api/use-site.ts'
import { common, navigation } from '../texts/common.ts'
import { ProblemReportItem } from './problem-report-item.tsx'
import classes from './site-navigation.module.css'

/** The pages of a site. */
export const PAGES: readonly { below: string; label: string; needs?: Role }[] = [
  { below: '/charts', label: navigation.charts },
  { below: '/alerts', label: navigation.alerts },
  { below: '/calendar', label: navigation.calendar },
  { below: '/schedules', label: navigation.schedules },
  { below: '/reports', label: navigation.reports },
  { below: '/requests', label: navigation.requests },
]

/** The settings of a site and of its organization. */
export const SETTINGS: readonly { below: string; label: string; needs?: Role }[] = [
  { below: '/settings/packages', label: navigation.packages },
  { below: '/settings/site', label: navigation.site },
  { below: '/settings/people', label: navigation.people },
  { below: '/settings/systems', label: navigation.systems },
  { below: '/settings/outbox', label: navigation.outbox, needs: 'manager' },
  { below: '/settings/keys', label: navigation.keys, needs: 'admin' },
  { below: '/settings/members', label: navigation.members, needs: 'admin' },
  { below: '/settings/alerts', label: navigation.alertSettings, needs: 'admin' },
  { below: '/settings/activity', label: navigation.activity, needs: 'admin' },
]

/** The pages of a site that the signed-in person may open. */
export function SiteNavigation() {
  const { path, may, orgId } = useSite()
  const [here] = useLocation()
  const devices = useDevices()

  const item = (below: string, label: string, { indent = false, note = '' } = {}) => {
    const to = path(below)
    const isHere = below === '' ? here === to : here === to || here.startsWith(`${to}/`)
    return (
      <NavLink
        key={below}
        component={Link}
        href={to}
        label={label}
        description={note || undefined}
        active={isHere}
        aria-current={isHere ? 'page' : undefined}
        pl={indent ? 28 : undefined}
        className={classes.item}
      />
    )
  }
  const allowed = (pages: typeof PAGES) => pages.filter(({ needs }) => !needs || may(needs))

  return (
    <Stack gap={2}>
      {item('', navigation.overview)}
      {(devices.data ?? []).map(({ id, name, online }) =>
        item(`/devices/${id}`, name, { indent: true, note: online ? '' : common.offline }),
      )}
      {allowed(PAGES).map(({ below, label }) => item(below, label))}
      {may('manager') && (
        <NavLink component={Link} href={dispatchesPath(orgId)} label={navigation.dispatches} className={classes.item} />
      )}
      <Text size="xs" fw={600} c="dimmed" tt="uppercase" mt="md" mb={4} px="sm">
        {navigation.settings}
      </Text>
      {allowed(SETTINGS).map(({ below, label }) => item(below, label))}
      <ProblemReportItem />
    </Stack>
  )
}
