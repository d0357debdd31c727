import { SITE_ROLES, type SiteRole } from '@plantroom/contract/role-order'
import type { Member, MemberRoles } from '@plantroom/contract/roles'
import { format } from '../../texts/format.ts'
import { members } from '../../texts/members.ts'

interface Named {
  id: string
  name: string
}

type GivenRoles = Pick<Member, 'role' | 'allSites' | 'tags' | 'sites'>

/** The highest first. */
const ROLES = SITE_ROLES.toReversed()
/** More names than this are counted. */
const MOST_NAMED = 5

/** Returns the roles of a member, a line per role and kind of place. */
export function describeRoles(member: GivenRoles, sites: readonly Named[]): string[] {
  if (member.role === 'admin') return [members.admin]
  const nameOf = (siteId: string) => sites.find(({ id }) => id === siteId)?.name ?? members.goneSite
  const lines = ROLES.flatMap((wanted) => {
    const texts = members.on[wanted]
    const tags = member.tags.filter(({ role }) => role === wanted).map(({ tag }) => tag)
    const named = member.sites.filter(({ role }) => role === wanted).map(({ siteId }) => nameOf(siteId))
    return [
      ...(member.allSites === wanted ? [texts.all] : []),
      ...(tags.length > 0 ? [format(texts.tags, { tags: shortList(tags) })] : []),
      ...(named.length > 0 ? [format(texts.sites, { sites: shortList(named) })] : []),
    ]
  })
  return lines.length > 0 ? lines : [members.none]
}

function shortList(names: readonly string[]): string {
  const more = names.length - MOST_NAMED
  const first = names.slice(0, more > 0 ? MOST_NAMED : undefined).join(', ')
  return more > 0 ? format(members.more, { names: first, count: more }) : first
}

/** The roles in the form: names by role, each name once. */
export interface ChosenRoles {
  isAdmin: boolean
  allSites: SiteRole | null
  tags: Readonly<Record<SiteRole, readonly string[]>>
  sites: Readonly<Record<SiteRole, readonly string[]>>
}

export function chosenOf(member: GivenRoles | undefined): ChosenRoles {
  const { role = null, allSites = null, tags = [], sites = [] } = member ?? {}
  const byRole = <Item extends { role: SiteRole }>(items: readonly Item[], nameOf: (item: Item) => string) => {
    const of = (wanted: SiteRole) => items.filter((item) => item.role === wanted).map(nameOf)
    return { viewer: of('viewer'), manager: of('manager') }
  }
  return {
    isAdmin: role === 'admin',
    allSites,
    tags: byRole(tags, ({ tag }) => tag),
    sites: byRole(sites, ({ siteId }) => siteId),
  }
}

/** Returns the names by role with those of one role replaced. A name that moves to a role leaves the other. */
export function withRole(
  names: ChosenRoles['sites'],
  role: SiteRole,
  chosen: readonly string[],
): Record<SiteRole, readonly string[]> {
  const other = role === 'viewer' ? 'manager' : 'viewer'
  const left = names[other].filter((name) => !chosen.includes(name))
  return role === 'viewer' ? { viewer: chosen, manager: left } : { viewer: left, manager: chosen }
}

/** Returns the roles in the form of the API; `undefined` when there are none. */
export function rolesOf({ isAdmin, allSites, tags, sites }: ChosenRoles): MemberRoles | undefined {
  if (isAdmin) return { role: 'admin' }
  const byTag = ROLES.flatMap((role) => tags[role].map((tag) => ({ tag, role })))
  const bySite = ROLES.flatMap((role) => sites[role].map((siteId) => ({ siteId, role })))
  const roles = {
    ...(allSites && { allSites }),
    ...(byTag.length > 0 && { tags: byTag }),
    ...(bySite.length > 0 && { sites: bySite }),
  }
  return Object.keys(roles).length > 0 ? roles : undefined
}

/** Reports whether two people would have the same roles, in whatever order they are listed. */
export const isSameRoles = (one: MemberRoles | undefined, other: MemberRoles): boolean =>
  one !== undefined && inOrder(one) === inOrder(other)

/** The roles as a text that is the same for the same roles. */
function inOrder(roles: MemberRoles): string {
  if ('role' in roles) return roles.role
  const { allSites = null, tags = [], sites = [] } = roles
  const lines = [...tags.map(({ tag, role }) => [role, 'tag', tag]), ...sites.map(({ siteId, role }) => [role, siteId])]
  return JSON.stringify([allSites, lines.map((line) => line.join('\n')).toSorted()])
}
