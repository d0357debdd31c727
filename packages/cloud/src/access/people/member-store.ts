import { Failure } from '@plantroom/contract/failure'
import type { Member, MemberRoles, SiteRole } from '@plantroom/contract/roles'
import { shown } from '@plantroom/contract/shown'
import type { Kysely } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Schema } from '../../db/schema.ts'

/** A link to set a password, as it is stored. */
export interface NewLink {
  hash: Buffer
  expiresAt: Date
}

export type MemberStore = ReturnType<typeof createMemberStore>

/** The members of organizations. Each change locks the organization first, so concurrent changes run one by one. */
export function createMemberStore(db: Db) {
  const inTransaction = <Result>(
    organizationId: string,
    work: (tx: Kysely<Schema>) => Promise<Result>,
  ): Promise<Result> =>
    db.transaction().execute(async (tx) => {
      const organization = await tx
        .selectFrom('organization')
        .where('id', '=', organizationId)
        .select('id')
        .forNoKeyUpdate()
        .executeTakeFirst()
      if (!organization) throw new Failure('notFound', `there is no organization ${shown(organizationId)}`)
      return work(tx)
    })

  return {
    list: (organizationId: string): Promise<Member[]> => readMembers(db, organizationId),

    /**
     * Adds a person by e-mail address. Only new users get the link: people with an account, or with an invitation from
     * another organization, keep what they have.
     */
    add: (
      organizationId: string,
      person: { id: string; email: string; roles: MemberRoles },
      link: NewLink,
    ): Promise<{ member: Member; hasLink: boolean }> =>
      inTransaction(organizationId, (tx) => addMember(tx, organizationId, person, link)),

    change: (organizationId: string, userId: string, roles: MemberRoles): Promise<Member> =>
      inTransaction(organizationId, async (tx) => {
        await requireMember(tx, organizationId, userId)
        if (!('role' in roles)) await requireOtherAdmin(tx, organizationId, userId)
        await deleteRoles(tx, organizationId, userId)
        await insertRoles(tx, organizationId, userId, roles)
        return readMember(tx, organizationId, userId)
      }),

    /** Also deletes the account, its sessions and its link when the person is in no other organization. */
    remove: (organizationId: string, userId: string): Promise<void> =>
      inTransaction(organizationId, async (tx) => {
        await requireMember(tx, organizationId, userId)
        await requireOtherAdmin(tx, organizationId, userId)
        await tx.selectFrom('user_account').where('id', '=', userId).select('id').forUpdate().execute()
        await deleteRoles(tx, organizationId, userId)
        if ((await organizationsOf(tx, userId)).length > 0) return
        await tx.deleteFrom('user_account').where('id', '=', userId).execute()
      }),

    /** Replaces the previous link. Only the operator may do this for someone who is also in other organizations. */
    renewLink: (
      organizationId: string,
      userId: string,
      link: NewLink,
      { byOperator }: { byOperator: boolean },
    ): Promise<Member> =>
      inTransaction(organizationId, async (tx) => {
        await requireMember(tx, organizationId, userId)
        await tx.selectFrom('user_account').where('id', '=', userId).select('id').forUpdate().execute()
        // An administrator who creates a link can use it, which would give them access to the other organization.
        if (!byOperator && (await organizationsOf(tx, userId)).length > 1) {
          throw new Failure(
            'conflict',
            'this person is also a member of another organization: only they can change their password, or the operator can create a link',
          )
        }
        await replaceLink(tx, userId, link)
        return readMember(tx, organizationId, userId)
      }),
  }
}

async function addMember(
  tx: Kysely<Schema>,
  organizationId: string,
  person: { id: string; email: string; roles: MemberRoles },
  link: NewLink,
): Promise<{ member: Member; hasLink: boolean }> {
  const { id, email, roles } = person
  // Locked, so that a concurrent removal from another organization does not delete the account.
  const known = await tx
    .selectFrom('user_account')
    .where('email', '=', email)
    .select(['id', 'password_hash'])
    .forUpdate()
    .executeTakeFirst()
  const userId = known?.id ?? id
  if (known && (await isMember(tx, organizationId, userId))) {
    throw new Failure('conflict', `${shown(email)} is already a member: change their roles instead`)
  }
  const isElsewhere = known !== undefined && (await organizationsOf(tx, userId)).length > 0
  if (!known) await tx.insertInto('user_account').values({ id, email, password_hash: null }).execute()
  await insertRoles(tx, organizationId, userId, roles)
  const hasLink = !isElsewhere && (known?.password_hash ?? null) === null
  if (hasLink) await replaceLink(tx, userId, link)
  return { member: await readMember(tx, organizationId, userId), hasLink }
}

async function readMembers(db: Kysely<Schema>, organizationId: string, userId?: string): Promise<Member[]> {
  const rows = await db
    .selectFrom('membership')
    .innerJoin('user_account', 'user_account.id', 'membership.user_id')
    .where('organization_id', '=', organizationId)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? ''))
    .select(['user_account.id', 'email', 'last_seen_at', 'password_hash', 'site_id', 'role'])
    .orderBy('email')
    .orderBy('site_id')
    .execute()
  const members = new Map<string, Member>()
  for (const row of rows) {
    const member = members.get(row.id) ?? {
      userId: row.id,
      email: row.email,
      role: null,
      sites: [],
      lastSeenAt: row.last_seen_at?.toISOString() ?? null,
      hasPassword: row.password_hash !== null,
    }
    members.set(row.id, member)
    if (row.site_id === null) member.role = 'admin'
    else member.sites = [...member.sites, { siteId: row.site_id, role: row.role as SiteRole }]
  }
  return [...members.values()]
}

async function readMember(tx: Kysely<Schema>, organizationId: string, userId: string): Promise<Member> {
  const [member] = await readMembers(tx, organizationId, userId)
  if (!member) throw new Error(`${userId} is not a member of ${organizationId}`)
  return member
}

async function organizationsOf(tx: Kysely<Schema>, userId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('membership')
    .where('user_id', '=', userId)
    .select('organization_id')
    .distinct()
    .execute()
  return rows.map((row) => row.organization_id)
}

async function isMember(tx: Kysely<Schema>, organizationId: string, userId: string): Promise<boolean> {
  return (await organizationsOf(tx, userId)).includes(organizationId)
}

async function requireMember(tx: Kysely<Schema>, organizationId: string, userId: string): Promise<void> {
  if (await isMember(tx, organizationId, userId)) return
  throw new Failure('notFound', `this organization has no member ${shown(userId)}`)
}

/** Throws when the organization would be left without an administrator who can sign in. */
async function requireOtherAdmin(tx: Kysely<Schema>, organizationId: string, userId: string): Promise<void> {
  const admins = await tx
    .selectFrom('membership')
    .innerJoin('user_account', 'user_account.id', 'membership.user_id')
    .where('organization_id', '=', organizationId)
    .where('site_id', 'is', null)
    .select(['user_account.id', 'password_hash'])
    .execute()
  if (!admins.some(({ id }) => id === userId)) return
  if (admins.some(({ id, password_hash }) => id !== userId && password_hash !== null)) return
  throw new Failure(
    'conflict',
    'this is the last administrator of the organization who can sign in: make someone else an administrator first',
  )
}

async function insertRoles(
  tx: Kysely<Schema>,
  organizationId: string,
  userId: string,
  roles: MemberRoles,
): Promise<void> {
  const of = { user_id: userId, organization_id: organizationId }
  const rows =
    'role' in roles
      ? [{ ...of, site_id: null, role: roles.role }]
      : roles.sites.map(({ siteId, role }) => ({ ...of, site_id: siteId, role }))
  await tx.insertInto('membership').values(rows).execute()
}

async function deleteRoles(tx: Kysely<Schema>, organizationId: string, userId: string): Promise<void> {
  await tx
    .deleteFrom('membership')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute()
}

async function replaceLink(tx: Kysely<Schema>, userId: string, { hash, expiresAt }: NewLink): Promise<void> {
  const row = { token_hash: hash, expires_at: expiresAt }
  await tx
    .insertInto('invitation')
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute()
}
