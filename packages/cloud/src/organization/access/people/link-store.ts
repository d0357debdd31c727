import { Failure } from '@plantroom/contract/failure'
import type { AccountLink } from '@plantroom/contract/roles'
import { type Kysely, sql } from 'kysely'
import { type Db, inTransaction } from '../../../platform/db/database.ts'
import type { Schema } from '../../../platform/db/schema.ts'
import { acceptMembership } from './pending-store.ts'

/** A link as it is stored. Its token is not. */
export interface NewLink {
  hash: Buffer
  expiresAt: Date
  /** True when the service mails the link, so that only the owner of the address sees it. */
  mailed: boolean
}

/** Replaces the link of an account to one organization, or the link that sets a new password (`null`). */
export async function replaceLink(
  tx: Kysely<Schema>,
  userId: string,
  organizationId: string | null,
  { hash, expiresAt, mailed }: NewLink,
): Promise<void> {
  const row = { token_hash: hash, expires_at: expiresAt, mailed }
  await tx
    .insertInto('account_link')
    .values({ user_id: userId, organization_id: organizationId, ...row })
    .onConflict((conflict) => conflict.columns(['user_id', 'organization_id']).doUpdateSet(row))
    .execute()
}

/**
 * Ends every link that could set the password of an account. Called whenever the password or a membership changes, so
 * that a link never opens more than it did when it was made.
 */
export async function endPasswordLinks(tx: Kysely<Schema>, userId: string): Promise<void> {
  await tx.deleteFrom('account_link').where('user_id', '=', userId).where('organization_id', 'is', null).execute()
}

export async function endInvitationLink(tx: Kysely<Schema>, userId: string, organizationId: string): Promise<void> {
  await tx
    .deleteFrom('account_link')
    .where('user_id', '=', userId)
    .where('organization_id', '=', organizationId)
    .execute()
}

export type LinkStore = ReturnType<typeof createLinkStore>

/** The links with which people join an organization or set a password. */
export function createLinkStore(db: Db) {
  return {
    /** Returns what a link does; `undefined` when it is unknown, used or expired. */
    async find(tokenHash: Buffer, now: Date): Promise<AccountLink | undefined> {
      const found = await findLink(db, tokenHash, now)
      if (!found) return undefined
      const { email, organization } = found
      if (organization === null) return { email, organization, purpose: 'password' }
      return { email, organization, purpose: found.canSignIn ? 'join' : 'join-new' }
    },

    /**
     * Sets the password with a link, which works once. Ends all sessions of the account and unlinks its provider, so that
     * no one else keeps a way in. An invitation also joins its organization, but never sets the password of an account
     * that someone can sign in to: whoever invites may see the link.
     */
    setPassword: (tokenHash: Buffer, passwordHash: string, now: Date): Promise<UsedLink | undefined> =>
      inTransaction(db, async (tx) => {
        const found = await lockLink(tx, tokenHash, now)
        if (!found) return undefined
        const { userId, organizationId, mailed } = found
        if (organizationId !== null && found.canSignIn) throw signInFirst(found.email)
        await tx.deleteFrom('account_link').where('token_hash', '=', tokenHash).execute()
        await tx
          .updateTable('user_account')
          .set((eb) => ({
            password_hash: passwordHash,
            password_by_mail: mailed,
            identity_version: eb('identity_version', '+', 1),
          }))
          .where('id', '=', userId)
          .execute()
        await tx.deleteFrom('user_session').where('user_id', '=', userId).execute()
        await tx.deleteFrom('user_identity').where('user_id', '=', userId).execute()
        await tx.deleteFrom('known_device').where('user_id', '=', userId).execute()
        await endPasswordLinks(tx, userId)
        if (organizationId !== null) await acceptMembership(tx, userId, organizationId)
        return { userId, email: found.email, organizationId }
      }),

    /**
     * Makes a link that sets a new password, if someone can sign in to the account of this address, and mails it. Returns
     * the account.
     */
    addReset: (email: string, link: NewLink, mail: (tx: Db) => Promise<void>): Promise<string | undefined> =>
      inTransaction(db, async (tx) => {
        const account = await tx
          .selectFrom('user_account')
          .where('email', '=', email)
          .where(canSignIn)
          .select('id')
          .forUpdate()
          .executeTakeFirst()
        if (!account) return undefined
        await replaceLink(tx, account.id, null, link)
        await mail(tx)
        return account.id
      }),

    /** Joins the organization of a link as this person. `undefined` when the link is not an invitation for them. */
    join: (tokenHash: Buffer, userId: string, now: Date): Promise<UsedLink | undefined> =>
      inTransaction(db, async (tx) => {
        const found = await lockLink(tx, tokenHash, now)
        if (found?.userId !== userId || found.organizationId === null) return undefined
        await endPasswordLinks(tx, userId)
        await endInvitationLink(tx, userId, found.organizationId)
        await acceptMembership(tx, userId, found.organizationId)
        return { userId, email: found.email, organizationId: found.organizationId }
      }),
  }
}

export const signInFirst = (email: string) =>
  new Failure('conflict', `${email} already has an account: sign in with it, then open the link again to join`)

/** Who used a link; `organizationId` is what they joined, `null` when they only set a password. */
interface UsedLink {
  userId: string
  email: string
  organizationId: string | null
}

/** True for an account that has a password or is linked with a provider. */
const canSignIn = sql<boolean>`(password_hash IS NOT NULL
  OR EXISTS (SELECT FROM user_identity WHERE user_identity.user_id = user_account.id))`

interface FoundLink {
  userId: string
  email: string
  /** The account has a password or is linked with a provider. */
  canSignIn: boolean
  organizationId: string | null
  organization: string | null
  mailed: boolean
}

function findLink(db: Kysely<Schema>, tokenHash: Buffer, now: Date): Promise<FoundLink | undefined> {
  return db
    .selectFrom('account_link')
    .innerJoin('user_account', 'user_account.id', 'account_link.user_id')
    .leftJoin('organization', 'organization.id', 'account_link.organization_id')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .select(['user_account.id as userId', 'email', 'mailed'])
    .select(canSignIn.as('canSignIn'))
    .select(['account_link.organization_id as organizationId', 'organization.name as organization'])
    .executeTakeFirst()
}

/** Locks the account of a link. The second of two concurrent requests waits here and then finds the link used. */
export async function lockLink(tx: Kysely<Schema>, tokenHash: Buffer, now: Date): Promise<FoundLink | undefined> {
  await tx
    .selectFrom('user_account')
    .innerJoin('account_link', 'account_link.user_id', 'user_account.id')
    .where('token_hash', '=', tokenHash)
    .select('user_account.id')
    .forUpdate('user_account')
    .execute()
  return findLink(tx, tokenHash, now)
}
