import type { Member, MemberRoles, SiteRole } from '@plantroom/contract/roles'
import { members } from '../../texts/members.ts'

interface Named {
  id: string
  name: string
}

/** What someone may do, a line for each role. */
export function rolesWords(member: Pick<Member, 'role' | 'sites'>, sites: readonly Named[]): string[] {
  if (member.role === 'admin') return [members.admin]
  const names = (wanted: SiteRole) =>
    member.sites
      .filter(({ role }) => role === wanted)
      .map(({ siteId }) => sites.find(({ id }) => id === siteId)?.name ?? members.goneSite)
      .join(', ')
  const lines = [
    names('manager') && members.manager(names('manager')),
    names('viewer') && members.viewer(names('viewer')),
  ]
  const said = lines.filter((line) => line !== '')
  return said.length > 0 ? said : [members.none]
}

/** What the form holds: a role for each site where there is one. */
export interface ChosenRoles {
  isAdmin: boolean
  bySite: Readonly<Record<string, SiteRole>>
}

export function chosenOf(member: Pick<Member, 'role' | 'sites'> | undefined): ChosenRoles {
  const bySite = Object.fromEntries((member?.sites ?? []).map(({ siteId, role }) => [siteId, role]))
  return { isAdmin: member?.role === 'admin', bySite }
}

/** As the service takes it; `undefined` when it would be no role at all. */
export function rolesOf({ isAdmin, bySite }: ChosenRoles): MemberRoles | undefined {
  if (isAdmin) return { role: 'admin' }
  const sites = Object.entries(bySite).map(([siteId, role]) => ({ siteId, role }))
  return sites.length > 0 ? { sites } : undefined
}
