import type { Member, MemberRoles, SiteRole } from '@plantroom/contract/roles'
import { format } from '../../texts/format.ts'
import { members } from '../../texts/members.ts'

interface Named {
  id: string
  name: string
}

const LINES = { manager: members.manager, viewer: members.viewer } as const

/** Returns the roles of a member, a line per role. */
export function describeRoles(member: Pick<Member, 'role' | 'sites'>, sites: readonly Named[]): string[] {
  if (member.role === 'admin') return [members.admin]
  const namesOf = (wanted: SiteRole) =>
    member.sites
      .filter(({ role }) => role === wanted)
      .map(({ siteId }) => sites.find(({ id }) => id === siteId)?.name ?? members.goneSite)
      .join(', ')
  const lines = (['manager', 'viewer'] as const).flatMap((role) => {
    const names = namesOf(role)
    return names === '' ? [] : [format(LINES[role], { sites: names })]
  })
  return lines.length > 0 ? lines : [members.none]
}

/** The roles in the form: a role per site, where there is one. */
export interface ChosenRoles {
  isAdmin: boolean
  bySite: Readonly<Record<string, SiteRole>>
}

export function chosenOf(member: Pick<Member, 'role' | 'sites'> | undefined): ChosenRoles {
  const bySite = Object.fromEntries((member?.sites ?? []).map(({ siteId, role }) => [siteId, role]))
  return { isAdmin: member?.role === 'admin', bySite }
}

/** Returns the roles in the form of the API; `undefined` when there are none. */
export function rolesOf({ isAdmin, bySite }: ChosenRoles): MemberRoles | undefined {
  if (isAdmin) return { role: 'admin' }
  const sites = Object.entries(bySite).map(([siteId, role]) => ({ siteId, role }))
  return sites.length > 0 ? { sites } : undefined
}

/** Reports whether two people would have the same roles, in whatever order they are listed. */
export function isSameRoles(one: MemberRoles | undefined, other: MemberRoles): boolean {
  if (!one || 'role' in one || 'role' in other) return one !== undefined && 'role' in one && 'role' in other
  const roles = new Map(one.sites.map(({ siteId, role }) => [siteId, role]))
  return roles.size === other.sites.length && other.sites.every(({ siteId, role }) => roles.get(siteId) === role)
}
