import { LANGUAGES, LOCALES, type Preferences } from '@plantroom/contract/languages'
import { isAtLeast, type SignedIn, type SignedInOrganization, type SignedInSite } from '@plantroom/contract/roles'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../platform/db/database.ts'
import { siteRoles } from '../site-roles.ts'
import { endPasswordLinks } from './link-store.ts'

export type UserStore = ReturnType<typeof createUserStore>

/** The accounts of people and their passwords. */
export function createUserStore(db: Db) {
  return {
    /** Adds a new user as an administrator of an organization. */
    addAdministrator: (user: { id: string; email: string; passwordHash: string; organizationId: string }) =>
      inTransaction(db, async (tx) => {
        await tx
          .insertInto('user_account')
          .values({ id: user.id, email: user.email, password_hash: user.passwordHash })
          .execute()
        await tx
          .insertInto('membership')
          .values({ user_id: user.id, organization_id: user.organizationId, site_id: null, role: 'admin' })
          .execute()
      }),

    /** True when at least one user exists. */
    async hasUsers(): Promise<boolean> {
      const { rows } = await sql<{ exists: boolean }>`SELECT EXISTS (SELECT FROM user_account)`.execute(db)
      return rows[0]?.exists === true
    },

    findByEmail: (email: string): Promise<{ id: string; passwordHash: string | null } | undefined> =>
      db
        .selectFrom('user_account')
        .where('email', '=', email)
        .select(['id', 'password_hash as passwordHash'])
        .executeTakeFirst(),

    /** The stored password of an account, `null` without one; `undefined` for an unknown account. */
    findPasswordHash: (userId: string): Promise<{ passwordHash: string | null } | undefined> =>
      db.selectFrom('user_account').where('id', '=', userId).select('password_hash as passwordHash').executeTakeFirst(),

    /**
     * Changes a password, ends all sessions except `ownSession` and deletes an open link. False when the password is no
     * longer `before`.
     */
    changePassword: (
      userId: string,
      { before, after, ownSession }: { before: string; after: string; ownSession: Buffer },
    ): Promise<boolean> =>
      inTransaction(db, async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('user_account')
          .set({ password_hash: after })
          .where('id', '=', userId)
          .where('password_hash', '=', before)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return false
        await endPasswordLinks(tx, userId)
        await tx
          .deleteFrom('user_session')
          .where('user_id', '=', userId)
          .where('token_hash', '!=', ownSession)
          .execute()
        return true
      }),

    /** Stores the language of a person, and how they see times and numbers. */
    async setPreferences(userId: string, { language, locale }: Preferences): Promise<void> {
      await db.updateTable('user_account').set({ language, locale }).where('id', '=', userId).execute()
    },

    /**
     * Returns a user with their organizations and sites; `undefined` when the account no longer exists. Shows only the
     * name of an organization that requires a second factor, unless the session has one.
     */
    signedIn: (userId: string, hasSecondFactor: boolean): Promise<SignedIn | undefined> =>
      readSignedIn(db, userId, hasSecondFactor),
  }
}

async function readSignedIn(db: Db, userId: string, hasSecondFactor: boolean): Promise<SignedIn | undefined> {
  const account = await db
    .selectFrom('user_account')
    .where('id', '=', userId)
    .select(['id', 'email', 'language', 'locale'])
    .executeTakeFirst()
  if (!account) return undefined
  const rows = await db
    .selectFrom(siteRoles(sql`membership.user_id = ${userId}`).as('granted'))
    .innerJoin('organization', 'organization.id', 'granted.organization_id')
    .leftJoin('site', (join) =>
      join
        .onRef('site.organization_id', '=', 'organization.id')
        .on((eb) => eb.or([eb('granted.site_id', 'is', null), eb('site.id', '=', eb.ref('granted.site_id'))])),
    )
    .select([
      'organization.id as organizationId',
      'organization.name as organizationName',
      'organization.requires_second_factor as requiresSecondFactor',
      'granted.role',
      'site.id as siteId',
      'site.name as siteName',
      'site.time_zone as timeZone',
      'site.maintenance_requests as maintenanceRequests',
    ])
    .orderBy('organization.name')
    .orderBy('organization.id')
    .orderBy('site.name')
    .orderBy('site.id')
    .execute()
  const organizations = groupByOrganization(rows).map((organization) => {
    const { id, name } = organization
    const isClosed = !hasSecondFactor && rows.some((row) => row.organizationId === id && row.requiresSecondFactor)
    return isClosed ? { id, name, isAdmin: false, sites: [], secondFactorMissing: true } : organization
  })
  return { user: withPreferences(account), organizations }
}

/** Leaves out a choice that this version does not offer: a newer version may have stored it. */
function withPreferences(account: { id: string; email: string; language: string | null; locale: string | null }) {
  const { id, email } = account
  const language = LANGUAGES.find((each) => each === account.language)
  const locale = LOCALES.find((each) => each === account.locale)
  return { id, email, ...(language && { language }), ...(locale && { locale }) }
}

interface Row {
  organizationId: string
  organizationName: string
  requiresSecondFactor: boolean
  role: SignedInSite['role']
  siteId: string | null
  siteName: string | null
  timeZone: string | null
  maintenanceRequests: boolean | null
}

function groupByOrganization(rows: readonly Row[]): SignedInOrganization[] {
  const organizations = new Map<string, SignedInOrganization & { byId: Map<string, SignedInSite> }>()
  for (const row of rows) {
    const { organizationId: id, organizationName: name, role } = row
    const organization = organizations.get(id) ?? { id, name, isAdmin: false, sites: [], byId: new Map() }
    organizations.set(id, organization)
    if (role === 'admin') organization.isAdmin = true
    if (row.siteId === null || isAtLeast(organization.byId.get(row.siteId)?.role, role)) continue
    organization.byId.set(row.siteId, {
      id: row.siteId,
      name: row.siteName ?? '',
      timeZone: row.timeZone ?? 'UTC',
      maintenanceRequests: row.maintenanceRequests === true,
      role,
    })
  }
  return [...organizations.values()].map(({ byId, ...organization }) => ({
    ...organization,
    sites: [...byId.values()],
  }))
}
