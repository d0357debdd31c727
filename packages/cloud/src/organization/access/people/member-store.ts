import { Failure } from '@plantroom/contract/failure'
import type { Member, MemberRoles, SiteRole } from '@plantroom/contract/roles'
import { shown } from '@plantroom/contract/shown'
import type { Kysely } from 'kysely'
import { type Db, inTransaction } from '../../../platform/db/database.ts'
import type { Schema } from '../../../platform/db/schema.ts'
import { removeFactors } from '../factors/factor-store.ts'
import { endInvitationLink, endPasswordLinks, type NewLink, replaceLink } from './link-store.ts'
import { deleteUnusedAccounts } from './pending-store.ts'

type Table = 'membership' | 'pending_membership'

/** Mails a link to a person in the transaction that stores it. */
export type MailLink = (tx: Db, to: { email: string; organization: string; invited: boolean }) => Promise<void>

/** Mails a person that their second factors were removed. */
export type MailReset = (tx: Db, mail: { to: string; organization: string }) => Promise<void>

interface SentLink extends NewLink {
  mail?: MailLink | undefined
}

export type MemberStore = ReturnType<typeof createMemberStore>

/**
 * The members of organizations and the people they invited. Each change locks the organization first, so concurrent
 * changes run one by one, and then the account.
 */
export function createMemberStore(db: Db) {
  const inOrganization = <Result>(
    organizationId: string,
    work: (tx: Kysely<Schema>, organization: string) => Promise<Result>,
  ): Promise<Result> =>
    inTransaction(db, async (tx) => {
      const organization = await tx
        .selectFrom('organization')
        .where('id', '=', organizationId)
        .select('name')
        .forNoKeyUpdate()
        .executeTakeFirst()
      if (!organization) throw new Failure('notFound', `there is no organization ${shown(organizationId)}`)
      return work(tx, organization.name)
    })

  return {
    list: (organizationId: string): Promise<Member[]> => readMembers(db, organizationId),

    /** Invites a person by e-mail address. Nothing else about an existing account changes until they accept. */
    add: (
      organizationId: string,
      person: { id: string; email: string; roles: MemberRoles },
      link: SentLink,
    ): Promise<Member> =>
      inOrganization(organizationId, async (tx, organization) => {
        const { email } = person
        const userId = await findOrAddAccount(tx, person)
        const table = await tableOf(tx, organizationId, userId)
        if (table !== undefined) {
          const is = table === 'membership' ? 'is already a member' : 'is already invited'
          throw new Failure('conflict', `${shown(email)} ${is}: change their roles instead`)
        }
        await insertRoles(tx, 'pending_membership', organizationId, userId, person.roles)
        await replaceLink(tx, userId, organizationId, link)
        await link.mail?.(tx, { email, organization, invited: true })
        return readMember(tx, organizationId, userId)
      }),

    change: (organizationId: string, userId: string, roles: MemberRoles): Promise<Member> =>
      inOrganization(organizationId, async (tx) => {
        await lockAccount(tx, userId)
        const table = await requireTable(tx, organizationId, userId)
        if (!('role' in roles)) await requireOtherAdmin(tx, organizationId, userId)
        await deleteRoles(tx, table, organizationId, userId)
        await insertRoles(tx, table, organizationId, userId, roles)
        return readMember(tx, organizationId, userId)
      }),

    /** Returns who was removed. Also deletes the account, its sessions and its links when no other organization has or invited the person. */
    remove: (organizationId: string, userId: string): Promise<Member> =>
      inOrganization(organizationId, async (tx) => {
        await lockAccount(tx, userId)
        const table = await requireTable(tx, organizationId, userId)
        await requireOtherAdmin(tx, organizationId, userId)
        const removed = await readMember(tx, organizationId, userId)
        await deleteRoles(tx, table, organizationId, userId)
        if (table === 'membership') await endPasswordLinks(tx, userId)
        else await endInvitationLink(tx, userId, organizationId)
        await deleteUnusedAccounts(tx, [userId])
        return removed
      }),

    /**
     * Replaces the invitation of a person who has not accepted, or makes a link that sets the password of a member. Only
     * the operator may do the latter for someone who is also in other organizations.
     */
    renewLink: (
      organizationId: string,
      userId: string,
      link: SentLink,
      { byOperator }: { byOperator: boolean },
    ): Promise<Member> =>
      inOrganization(organizationId, async (tx, organization) => {
        await lockAccount(tx, userId)
        const isInvited = (await requireTable(tx, organizationId, userId)) === 'pending_membership'
        // An administrator who creates a link can use it, which would give them access to the other organization.
        if (!isInvited && !byOperator && (await isMemberElsewhere(tx, organizationId, userId))) {
          throw new Failure(
            'conflict',
            'only this person can reset their password: they choose "Forgot your password?" on the sign-in page, or ask the operator for a link',
          )
        }
        await replaceLink(tx, userId, isInvited ? organizationId : null, link)
        const member = await readMember(tx, organizationId, userId)
        await link.mail?.(tx, { email: member.email, organization, invited: isInvited })
        return member
      }),

    /**
     * Removes every second factor of a member who lost them, and ends their sessions. As for password links, only the
     * operator may do this for someone who is also in other organizations.
     */
    resetFactors: (
      organizationId: string,
      userId: string,
      { byOperator, mail }: { byOperator: boolean; mail: MailReset | undefined },
    ): Promise<Member> =>
      inOrganization(organizationId, async (tx, organization) => {
        await lockAccount(tx, userId)
        if ((await requireTable(tx, organizationId, userId)) === 'pending_membership') {
          throw new Failure(
            'conflict',
            'this person has not accepted the invitation: their account is not yours to change',
          )
        }
        if (!byOperator && (await isMemberElsewhere(tx, organizationId, userId))) {
          throw new Failure(
            'conflict',
            'this person also belongs to another organization: only the operator can remove their second factors, with "plantroom user reset-factors"',
          )
        }
        await removeFactors(tx, userId)
        const member = await readMember(tx, organizationId, userId)
        await mail?.(tx, { to: member.email, organization })
        return member
      }),
  }
}

/** Returns the account of an address, locked, so that a concurrent removal elsewhere does not delete it. */
async function findOrAddAccount(tx: Kysely<Schema>, { id, email }: { id: string; email: string }): Promise<string> {
  const known = await tx
    .selectFrom('user_account')
    .where('email', '=', email)
    .select('id')
    .forUpdate()
    .executeTakeFirst()
  if (known) return known.id
  await tx.insertInto('user_account').values({ id, email, password_hash: null }).execute()
  return id
}

async function lockAccount(tx: Kysely<Schema>, userId: string): Promise<void> {
  await tx.selectFrom('user_account').where('id', '=', userId).select('id').forUpdate().execute()
}

async function readMembers(db: Kysely<Schema>, organizationId: string, userId?: string): Promise<Member[]> {
  const read = (table: Table) =>
    db
      .selectFrom(table)
      .innerJoin('user_account', 'user_account.id', `${table}.user_id`)
      .where('organization_id', '=', organizationId)
      .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? ''))
      .select(['user_account.id', 'email', 'last_seen_at', 'site_id', 'role', 'group_role', 'site_tag'])
      .orderBy('email')
      .orderBy('site_tag')
      .orderBy('site_id')
      .execute()
  const accepted = (await read('membership')).map((row) => ({ ...row, invited: false }))
  // Whether an invited person uses an account elsewhere, and when, is not for this organization.
  const invited = (await read('pending_membership')).map((row) => ({ ...row, last_seen_at: null, invited: true }))
  const members = new Map<string, Member>()
  for (const row of [...accepted, ...invited]) {
    const member = members.get(row.id) ?? {
      userId: row.id,
      email: row.email,
      role: null,
      allSites: null,
      tags: [],
      sites: [],
      lastSeenAt: row.last_seen_at?.toISOString() ?? null,
      invited: row.invited,
    }
    members.set(row.id, member)
    if (row.role === 'admin') member.role = 'admin'
    else if (row.site_id !== null) member.sites = [...member.sites, { siteId: row.site_id, role: row.role as SiteRole }]
    else if (row.site_tag === null) member.allSites = row.group_role
    else if (row.group_role) member.tags = [...member.tags, { tag: row.site_tag, role: row.group_role }]
  }
  return [...members.values()].sort((one, other) => (one.email < other.email ? -1 : 1))
}

async function readMember(tx: Kysely<Schema>, organizationId: string, userId: string): Promise<Member> {
  const [member] = await readMembers(tx, organizationId, userId)
  if (!member) throw new Error(`${userId} is not a member of ${organizationId}`)
  return member
}

async function isMemberElsewhere(tx: Kysely<Schema>, organizationId: string, userId: string): Promise<boolean> {
  const found = await tx
    .selectFrom('membership')
    .where('user_id', '=', userId)
    .where('organization_id', '!=', organizationId)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** The table with the roles of a person in an organization; `undefined` when it has neither added nor invited them. */
async function tableOf(tx: Kysely<Schema>, organizationId: string, userId: string): Promise<Table | undefined> {
  for (const table of ['membership', 'pending_membership'] as const) {
    const found = await tx
      .selectFrom(table)
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId)
      .select('id')
      .limit(1)
      .executeTakeFirst()
    if (found) return table
  }
  return undefined
}

async function requireTable(tx: Kysely<Schema>, organizationId: string, userId: string): Promise<Table> {
  const table = await tableOf(tx, organizationId, userId)
  if (table === undefined) throw new Failure('notFound', `this organization has no member ${shown(userId)}`)
  return table
}

/** Throws when the organization would be left without an administrator who can sign in. */
async function requireOtherAdmin(tx: Kysely<Schema>, organizationId: string, userId: string): Promise<void> {
  const admins = await tx
    .selectFrom('membership')
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'admin')
    .select('user_id')
    .execute()
  if (!admins.some(({ user_id }) => user_id === userId)) return
  if (admins.some(({ user_id }) => user_id !== userId)) return
  throw new Failure(
    'conflict',
    'this is the last administrator of the organization who can sign in: make someone else an administrator first',
  )
}

async function insertRoles(
  tx: Kysely<Schema>,
  table: Table,
  organizationId: string,
  userId: string,
  roles: MemberRoles,
): Promise<void> {
  const of = { user_id: userId, organization_id: organizationId }
  const byGroup = (role: SiteRole, tag: string | null) => ({
    ...of,
    site_id: null,
    role: 'group' as const,
    group_role: role,
    site_tag: tag,
  })
  const rows =
    'role' in roles
      ? [{ ...of, site_id: null, role: roles.role }]
      : [
          ...(roles.allSites ? [byGroup(roles.allSites, null)] : []),
          ...(roles.tags ?? []).map(({ tag, role }) => byGroup(role, tag)),
          ...(roles.sites ?? []).map(({ siteId, role }) => ({ ...of, site_id: siteId, role })),
        ]
  await tx.insertInto(table).values(rows).execute()
}

async function deleteRoles(tx: Kysely<Schema>, table: Table, organizationId: string, userId: string): Promise<void> {
  await tx.deleteFrom(table).where('organization_id', '=', organizationId).where('user_id', '=', userId).execute()
}
