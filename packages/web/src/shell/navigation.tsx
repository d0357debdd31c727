import { Badge, Stack, Text, VisuallyHidden } from '@mantine/core'
import { groupAlerts } from '@plantroom/contract/alert-groups'
import type { SignedIn } from '@plantroom/contract/roles'
import type { Icon } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { Link, useLocation } from 'wouter'
import { useDevices } from '../api/use-devices.ts'
import { useOpenSiteAlerts } from '../api/use-open-alerts.ts'
import { type CurrentPlace, organizationPath, useSite } from '../api/use-site.ts'
import { common, navigation as texts } from '../texts/common.ts'
import { format, formatNumber } from '../texts/format.ts'
import classes from './navigation.module.css'
import {
  ALL_SITES,
  highestRole,
  ORGANIZATION_PAGES,
  OVERVIEW,
  openTo,
  organizationsOf,
  SITE_PAGES,
  SITE_SETTINGS,
} from './page-entries.ts'
import { ProblemReportItem } from './problem-report-item.tsx'

/** More would push the pages off the screen. */
const MOST_DEVICES = 8

/** The pages that the signed-in person may open: of the current site, and of its organization or of all. */
export function Navigation({ signedIn, place }: { signedIn: SignedIn; place: CurrentPlace | undefined }) {
  const organizations = place ? [place.organization] : organizationsOf(signedIn)
  const hasSeveral = signedIn.organizations.length > 1
  return (
    <Stack gap="sm">
      {place?.site && <SiteGroup />}
      {organizations.map((organization, index) => (
        <Group key={organization.id} heading={hasSeveral ? organization.name : texts.organization}>
          {index === 0 && <Item {...ALL_SITES} isExact />}
          {openTo(ORGANIZATION_PAGES, highestRole(organization)).map(({ below, ...entry }) => (
            <Item key={below} {...entry} to={organizationPath(organization.id, below)} />
          ))}
        </Group>
      ))}
      {place?.site && <ProblemReportItem />}
    </Stack>
  )
}

function SiteGroup() {
  const { path, site } = useSite()
  const alerts = useOpenGroupCount()
  return (
    <Group heading={texts.siteGroup}>
      <Item {...OVERVIEW} to={path()} isExact />
      <Devices />
      {openTo(SITE_PAGES, site.role).map(({ below, ...entry }) => (
        <Item key={below} {...entry} to={path(below)} count={below === '/alerts' ? alerts : undefined} />
      ))}
      <Text className={classes.heading}>{texts.settings}</Text>
      {openTo(SITE_SETTINGS, site.role).map(({ below, ...entry }) => (
        <Item key={below} {...entry} to={path(below)} />
      ))}
    </Group>
  )
}

/** The controllers of the site. Of many, only the one that is open: the overview lists them all. */
function Devices() {
  const { path } = useSite()
  const [here] = useLocation()
  const { data: devices = [] } = useDevices()
  const toOf = (id: string) => path(`/devices/${id}`)
  return devices
    .filter(({ id }) => devices.length <= MOST_DEVICES || here === toOf(id))
    .map(({ id, name, online }) => (
      <Item key={id} to={toOf(id)} label={name} note={online ? undefined : common.offline} />
    ))
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={classes.group}>
      <Text id={id} className={classes.heading} truncate>
        {heading}
      </Text>
      {children}
    </section>
  )
}

function Item({
  to,
  label,
  icon: Mark,
  note,
  count,
  isExact = false,
}: {
  to: string
  label: string
  /** Without one, the entry is below another. */
  icon?: Icon
  note?: string | undefined
  /** How much waits there. */
  count?: string | undefined
  /** The pages below it are entries of their own. */
  isExact?: boolean
}) {
  const [here] = useLocation()
  const [path = ''] = to.split('?')
  const isHere = here === path || (!isExact && here.startsWith(`${path}/`))
  return (
    <Link
      href={to}
      className={`mantine-focus-auto ${classes.item}`}
      aria-current={isHere ? 'page' : undefined}
      data-below={!Mark || undefined}
    >
      {Mark && <Mark size={17} stroke={1.6} aria-hidden />}
      <span className={classes.label}>
        {label}
        {note && <span className={classes.note}>{note}</span>}
      </span>
      {count && <Count of={count} />}
    </Link>
  )
}

function Count({ of: count }: { of: string }) {
  return (
    <>
      <Badge size="sm" color="red.9" circle={count.length === 1} aria-hidden>
        {count}
      </Badge>
      <VisuallyHidden>{format(texts.openCount, { count })}</VisuallyHidden>
    </>
  )
}

/** How many causes of open alerts the site has, as people read it; `undefined` for none. */
function useOpenGroupCount(): string | undefined {
  const { data: alerts = [], hasNextPage } = useOpenSiteAlerts()
  const count = groupAlerts(alerts).length
  return count === 0 ? undefined : `${formatNumber(count)}${hasNextPage ? '+' : ''}`
}
