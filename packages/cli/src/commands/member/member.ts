import { type InvitedMember, type Member, type MemberRoles, SITE_ROLES, type SiteRole } from '@plantroom/contract/roles'
import { type Administration, administration } from '../../clients.ts'
import { COMMON_FLAGS, flag, repeated, UsageError, valued } from '../../command.ts'
import { command, verb } from '../../declare.ts'
import { print, printable, table } from '../../output.ts'
import { memberOf } from './find-member.ts'

const EMAIL = { name: 'EMAIL' } as const
const MEMBER = { name: 'MEMBER', about: 'by email or id', completes: 'member' } as const
const ROLES = {
  ...COMMON_FLAGS,
  admin: flag('administrator of the whole organization'),
  viewer: repeated('SITE', 'may see this site, by id or name; may be repeated', { completes: 'site' }),
  manager: repeated('SITE', 'may also control this site, by id or name; may be repeated', { completes: 'site' }),
  'viewer-tag': repeated('TAG', 'may see all sites with this tag, now and later; may be repeated'),
  'manager-tag': repeated('TAG', 'may also control all sites with this tag, now and later; may be repeated'),
  'all-sites': valued('ROLE', 'viewer or manager of all sites, now and later', { choices: SITE_ROLES }),
} as const
const SYNOPSIS = '--admin | --viewer SITE | --manager SITE | --viewer-tag TAG | --manager-tag TAG | --all-sites ROLE'
const SHAPE = '{userId, email, role, allSites, tags: [{tag, role}], sites: [{siteId, role}], lastSeenAt, invited}'

const invite = verb({
  about: 'invite a person and print the link for them, unless the service mails it',
  arguments: [EMAIL],
  synopsis: SYNOPSIS,
  options: ROLES,
  json: `${SHAPE.slice(0, -1)}, link, mailed}`,
  async run(flags, { EMAIL }) {
    requireRoles(flags)
    const service = await administration(flags)
    const { client, orgId } = service
    const invited = await client.addMember({ orgId, body: { email: EMAIL, ...(await rolesOf(flags, service)) } })
    print(flags.json, invited, () => describeLink(invited))
  },
})

export const member = command('member', {
  group: 'administer',
  about: 'manage the people of an organization and their roles',
  notes: 'Uses the admin token. A person has no access until they accept the invitation with the link.',
  verbs: {
    list: verb({
      about: 'list members and invited people with their roles',
      options: COMMON_FLAGS,
      json: `[${SHAPE}]`,
      async run(flags) {
        const { client, orgId } = await administration(flags)
        const { members } = await client.listMembers({ orgId })
        const { sites } = await client.listSites({ orgId })
        const names = new Map(sites.map(({ id, name }) => [id, name]))
        const rows = members.map((each) => [
          each.email,
          rolesText(each, names),
          each.invited ? 'invited' : 'member',
          each.lastSeenAt ?? 'never',
          each.userId,
        ])
        const none = 'no members yet: plantroom member invite EMAIL --admin'
        print(flags.json, members, () => table(['EMAIL', 'ROLES', 'STATE', 'LAST SEEN', 'ID'], rows, none))
      },
    }),
    invite,
    add: { ...invite, about: `the same as invite: ${invite.about}` },
    role: verb({
      about: 'replace the roles of a member, effective immediately',
      arguments: [MEMBER],
      synopsis: SYNOPSIS,
      options: ROLES,
      json: SHAPE,
      async run(flags, { MEMBER }) {
        requireRoles(flags)
        const service = await administration(flags)
        const { client, orgId } = service
        const { userId } = await memberOf(client, orgId, MEMBER)
        const changed = await client.changeMember({ orgId, userId, body: await rolesOf(flags, service) })
        print(flags.json, changed, () => printable(`${changed.email}: ${rolesText(changed, new Map())}`))
      },
    }),
    link: verb({
      about: 'make a new link for an invited person, or for a member who lost their password; the previous one ends',
      arguments: [MEMBER],
      options: COMMON_FLAGS,
      json: `${SHAPE.slice(0, -1)}, link, mailed}`,
      async run(flags, { MEMBER }) {
        const { client, orgId } = await administration(flags)
        const { userId } = await memberOf(client, orgId, MEMBER)
        const renewed = await client.renewMemberLink({ orgId, userId })
        print(flags.json, renewed, () => describeLink(renewed))
      },
    }),
    'reset-factors': verb({
      about: 'remove every second factor of a member who lost them, and end their sessions',
      arguments: [MEMBER],
      options: COMMON_FLAGS,
      json: '{userId, email}',
      async run(flags, { MEMBER }) {
        const { client, orgId } = await administration(flags)
        const { userId, email } = await memberOf(client, orgId, MEMBER)
        await client.resetMemberFactors({ orgId, userId })
        print(flags.json, { userId, email }, () => `removed the second factors of ${email}; their sessions have ended`)
      },
    }),
    remove: verb({
      about: 'remove a member, effective immediately',
      arguments: [MEMBER],
      options: COMMON_FLAGS,
      json: '{userId, email, removed}',
      async run(flags, { MEMBER }) {
        const { client, orgId } = await administration(flags)
        const { userId, email } = await memberOf(client, orgId, MEMBER)
        await client.removeMember({ orgId, userId })
        print(flags.json, { userId, email, removed: true }, () => printable(`${email} removed`))
      },
    }),
  },
})

type RoleFlags = { readonly admin?: boolean; readonly 'all-sites'?: string } & {
  readonly [Name in SiteRole | `${SiteRole}-tag`]?: string[]
}

function requireRoles({ admin, viewer, manager, ...flags }: RoleFlags): void {
  const given = [viewer, manager, flags['viewer-tag'], flags['manager-tag'], flags['all-sites']]
  const hasSites = given.some((value) => value !== undefined)
  if (admin && hasSites) throw new UsageError('an administrator has every site: leave out the other roles')
  if (!admin && !hasSites) throw new UsageError(`give roles: ${SYNOPSIS.replaceAll(' | ', ', ')}`)
}

async function rolesOf(flags: RoleFlags, { siteIds }: Administration): Promise<MemberRoles> {
  if (flags.admin) return { role: 'admin' }
  const sites = new Map<string, SiteRole>()
  for (const role of SITE_ROLES) {
    for (const siteId of (await siteIds(flags[role])) ?? []) {
      if (sites.has(siteId)) throw new UsageError(`give one role for the site ${siteId}`)
      sites.set(siteId, role)
    }
  }
  const tags = SITE_ROLES.flatMap((role) => (flags[`${role}-tag`] ?? []).map((tag) => ({ tag, role })))
  const allSites = SITE_ROLES.find((role) => role === flags['all-sites'])
  return {
    ...(allSites && { allSites }),
    ...(tags.length > 0 && { tags }),
    ...(sites.size > 0 && { sites: [...sites].map(([siteId, role]) => ({ siteId, role })) }),
  }
}

function rolesText({ role, allSites, tags, sites }: Member, names: ReadonlyMap<string, string>): string {
  if (role === 'admin') return 'administrator'
  return [
    ...(allSites ? [`${allSites} of all sites`] : []),
    ...tags.map((each) => `${each.role} of sites tagged ${each.tag}`),
    ...sites.map((site) => `${site.role} of ${names.get(site.siteId) ?? site.siteId}`),
  ].join(', ')
}

function describeLink({ email, link, mailed }: InvitedMember): string {
  if (mailed || link === null) return printable(`the service mailed the link to ${email}`)
  return `${printable(email)} can use this link once, within 7 days. Send it to them yourself:\n${link}`
}
