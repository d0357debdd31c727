import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import type { SiteLimit, SiteOverview, SitePower } from '@plantroom/contract/portfolio'
import { isAtLeast } from '@plantroom/contract/role-order'
import type { SignedInOrganization } from '@plantroom/contract/roles'
import { memo, useMemo, useState } from 'react'
import { sitePath, tagPath } from '../../api/use-site.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { describeCeiling } from '../../parts/describe-ceiling.ts'
import { LimitBadge } from '../../parts/limit-badge.tsx'
import { Link } from '../../parts/link.tsx'
import { Empty, ErrorNotice } from '../../parts/notices.tsx'
import { duration } from '../../parts/time.ts'
import { joinFacts, listed } from '../../parts/value.ts'
import { serviceNow } from '../../service-clock.ts'
import { common } from '../../texts/common.ts'
import { format, formatNumber } from '../../texts/format.ts'
import { home as texts, portfolio as words } from '../../texts/home.ts'
import { siteTags } from '../../texts/site-tags.ts'
import { AddSite } from './add-site.tsx'
import { describePower } from './describe-power.ts'
import { foundControllers, isNarrowed, type PortfolioView, rowsOf, type SiteRow, shownRows } from './portfolio.ts'
import { ceilingsOf, worstFirst } from './site-limits.ts'
import { TagSites } from './tag-sites.tsx'

/** Drawn at first, and with each *Show more*: a thousand rows would be slow to draw again. */
const PAGE = 50
/** Drawn until the overview is loaded, with which they are drawn again. */
const FIRST = 15
/** A value of the last minutes is called current. */
const CURRENT_MS = 150_000

interface OrganizationSitesProps extends PortfolioView {
  organization: SignedInOrganization
  /** `undefined` until it is loaded. */
  overview: readonly SiteOverview[] | undefined
  error: Error | undefined
}

/** The sites of one organization that match; administrators can add more. Drawn again only when something changed. */
export const OrganizationSites = memo(function OrganizationSites(props: OrganizationSitesProps) {
  const { organization, overview, sort, filter, tag, text, error } = props
  const { id, name, isAdmin, sites } = organization
  const [asked, setAsked] = useState<'add' | 'tag'>()
  const [shown, setShown] = useState(PAGE)
  const rows = useMemo(
    () => shownRows(rowsOf(organization, overview), { sort, filter, tag, text }),
    [organization, overview, sort, filter, tag, text],
  )
  const isPart = isNarrowed({ sort, filter, tag, text })
  if (rows.length === 0 && isPart) return null
  const mayDispatch = sites.some(({ role }) => isAtLeast(role, 'manager'))
  return (
    <Stack component="section" gap="sm" aria-labelledby={`organization-${id}`}>
      <Group justify="space-between" gap="sm">
        <Title order={2} size="h3" id={`organization-${id}`}>
          {name}
        </Title>
        <Group gap="md">
          {mayDispatch && <Link to={`/o/${id}/dispatches`}>{words.dispatches}</Link>}
          {isAdmin && overview && overview.length > 1 && (
            <Button
              variant="default"
              onClick={() => setAsked('tag')}
              aria-label={format(siteTags.many.title, { organization: name })}
            >
              {siteTags.many.open}
            </Button>
          )}
          {isAdmin && (
            <Button
              variant="default"
              onClick={() => setAsked('add')}
              aria-label={format(texts.addSiteTo, { organization: name })}
            >
              {texts.addSite}
            </Button>
          )}
        </Group>
      </Group>
      {error && <ErrorNotice error={error} title={words.failed} />}
      {sites.length === 0 ? (
        <Empty title={texts.noneInOrganization}>{texts.noneInOrganizationHint}</Empty>
      ) : (
        <CardTable
          label={format(words.sitesOf, { organization: name })}
          rows={rows.slice(0, overview || error ? shown : FIRST)}
          keyOf={(row) => row.id}
          columns={[
            { head: words.site, cell: (row) => <SiteName row={row} text={text} /> },
            {
              head: words.attention,
              plain: true,
              cell: ({ facts, ...row }) => facts && <Attention facts={facts} row={row} />,
            },
            { head: words.held, cell: ({ facts }) => facts && <Held facts={facts} /> },
            { head: words.power, cell: ({ facts }) => facts && <Power facts={facts} /> },
            { head: words.requests, cell: ({ facts, ...row }) => facts && <Requests facts={facts} row={row} /> },
          ]}
        />
      )}
      {overview && rows.length > shown && (
        <Button variant="default" mx="auto" onClick={() => setShown(shown + PAGE)}>
          {common.more}
        </Button>
      )}
      {asked === 'add' && <AddSite organization={organization} onClose={() => setAsked(undefined)} />}
      {asked === 'tag' && overview && (
        <TagSites
          organization={organization}
          sites={overview}
          shown={isPart ? rows.map((row) => row.id) : undefined}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Stack>
  )
})

type Place = Pick<SiteRow, 'orgId' | 'id'>

function SiteName({ row, text }: { row: SiteRow; text: string }) {
  const found = foundControllers(row, text)
  return (
    <>
      <Link to={sitePath(row.orgId, row.id)} inherit>
        {row.name}
      </Link>
      {row.facts && row.facts.tags.length > 0 && (
        <Group gap={4} mt={2}>
          {row.facts.tags.map((tag) => (
            <Link key={tag} to={tagPath(tag)} underline="never" aria-label={format(siteTags.show, { tag })}>
              <Badge variant="default" fw={400} size="sm" radius="sm">
                {tag}
              </Badge>
            </Link>
          ))}
        </Group>
      )}
      {found.length > 0 && (
        <Text size="sm" c="dimmed" fw={400}>
          {format(words.foundControllers, { names: listed(found.slice(0, 3)), count: found.length })}
        </Text>
      )}
    </>
  )
}

function Attention({ facts, row }: { facts: SiteOverview; row: Place }) {
  const { troubled, alerts, controllers } = facts
  if (controllers.names.length === 0 && alerts === 0) return <Note>{words.noController}</Note>
  if (troubled + alerts + controllers.offline === 0) return <Note>{words.fine}</Note>
  return (
    <Group gap={6}>
      {troubled > 0 && <Fact color="red">{format(words.troubled, { count: troubled })}</Fact>}
      {alerts > 0 && (
        <Link to={sitePath(row.orgId, row.id, '/alerts')} underline="never">
          <Fact color="red">{format(words.alerts, { count: alerts })}</Fact>
        </Link>
      )}
      {controllers.offline > 0 && (
        <Fact color="yellow">
          {format(words.offline, { count: controllers.offline, all: controllers.names.length })}
        </Fact>
      )}
    </Group>
  )
}

function Fact({ color, children }: { color: string; children: string }) {
  return (
    <Badge color={color} variant="light" fw={600} size="lg" radius="sm">
      {children}
    </Badge>
  )
}

/** A fact in the size of the others. */
function Note({ children }: { children: string }) {
  return (
    <Text c="dimmed" component="span" size="sm">
      {children}
    </Text>
  )
}

function Held({ facts: { held, heldOffline, controllers } }: { facts: SiteOverview }) {
  if (controllers.names.length === 0) return common.none
  const isUnknown = held === 0 && controllers.unheard === controllers.names.length
  return (
    <>
      <span className="figures">{isUnknown ? words.notKnown : formatNumber(held)}</span>
      {heldOffline > 0 && (
        <Text size="sm" c="dimmed">
          {heldOffline === held ? words.allOffline : format(words.heldOffline, { count: heldOffline })}
        </Text>
      )}
      {!isUnknown && controllers.unheard > 0 && (
        <Text size="sm" c="dimmed">
          {format(words.unheard, { count: controllers.unheard })}
        </Text>
      )}
    </>
  )
}

/** The power of a site, and the limits in force. */
function Power({ facts: { power, powerLimits } }: { facts: SiteOverview }) {
  const [worst, ...others] = worstFirst(powerLimits)
  return (
    <>
      {power && <PowerNow power={power} />}
      {worst && <LimitInForce limit={worst} />}
      {others.length > 0 && (
        <Text size="sm" c="dimmed">
          {format(words.moreLimits, { count: others.length })}
        </Text>
      )}
    </>
  )
}

function LimitInForce({ limit }: { limit: SiteLimit }) {
  return (
    <Group gap={6} mt={2}>
      <LimitBadge state={limit.state} />
      <Text size="sm">{joinFacts(ceilingsOf(limit).map(describeCeiling))}</Text>
      {!limit.isOnline && <Note>{words.lastKnown}</Note>}
    </Group>
  )
}

function PowerNow({ power: { value, unit, at } }: { power: SitePower }) {
  if (value === null) return <Note>{words.notKnown}</Note>
  const age = at === null ? 0 : serviceNow() - Date.parse(at)
  return (
    <>
      <span className="figures">{describePower(value, unit)}</span>
      {age > CURRENT_MS && (
        <Text size="sm" c="dimmed">
          {format(words.ago, { age: duration(Math.floor(age / 60_000) * 60_000) })}
        </Text>
      )}
    </>
  )
}

function Requests({ facts: { openRequests }, row }: { facts: SiteOverview; row: Place }) {
  if (openRequests === null) return common.none
  return (
    <Link to={sitePath(row.orgId, row.id, '/requests')} inherit>
      {formatNumber(openRequests)}
    </Link>
  )
}
