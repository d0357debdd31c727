import { Failure } from '@plantroom/contract/failure'
import { type Kysely, sql } from 'kysely'
import { type Db, inTransaction } from '../../../platform/db/database.ts'
import type { Schema } from '../../../platform/db/schema.ts'
import { endPasswordLinks, lockLink } from '../people/link-store.ts'
import { acceptMembership } from '../people/pending-store.ts'
import { type Identity, ProviderFailure } from './provider.ts'

/** An account that an identity opens, as the session must still find it. */
export interface FoundAccount {
  userId: string
  email: string
  passwordHash: string | null
  identityVersion: number
}

/** Notifies the owner of the address, in the transaction of the change. */
export type MailLinked = (tx: Db, to: string) => Promise<void>

export type IdentityStore = ReturnType<typeof createIdentityStore>

/**
 * The identities of people at providers. An account is found by issuer and subject together, never by an address alone.
 * Each change locks the account first and counts in its `identity_version`.
 */
export function createIdentityStore(db: Db) {
  return {
    /** Records that a sign-in was confirmed. False when it was before. */
    async useState(stateHash: Buffer, expiresAt: Date): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('used_sign_in_state')
        .values({ state_hash: stateHash, expires_at: expiresAt })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    },

    find: ({ issuer, subject }: Identity): Promise<FoundAccount | undefined> =>
      db
        .selectFrom('user_identity')
        .innerJoin('user_account', 'user_account.id', 'user_identity.user_id')
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .select(['user_account.id as userId', 'user_account.email', 'password_hash as passwordHash'])
        .select('identity_version as identityVersion')
        .executeTakeFirst(),

    async used({ issuer, subject, email }: Identity, at: Date): Promise<void> {
      await db
        .updateTable('user_identity')
        .set({ last_used_at: at, email })
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .execute()
    },

    /** How a person can sign in: whether with a password, and their identity at this issuer. */
    async methods(userId: string, issuer: string | undefined) {
      const account = await db
        .selectFrom('user_account')
        .leftJoin('user_identity', (join) =>
          join.onRef('user_identity.user_id', '=', 'user_account.id').on('issuer', '=', issuer ?? ''),
        )
        .where('user_account.id', '=', userId)
        .select(['password_hash', 'user_identity.email', 'linked_at', 'last_used_at'])
        .executeTakeFirst()
      if (!account) throw new Failure('unauthenticated', 'this account no longer exists')
      return {
        hasPassword: account.password_hash !== null,
        account: account.email,
        linkedAt: account.linked_at,
        lastUsedAt: account.last_used_at,
      }
    },

    /** Links an identity with the account of a signed-in person. */
    link: (userId: string, identity: Identity, at: Date, mail?: MailLinked): Promise<void> =>
      inTransaction(db, async (tx) => {
        const account = await changeAccount(tx, userId)
        if (!account) throw new ProviderFailure('changed', 'the account no longer exists')
        await addIdentity(tx, userId, identity, at)
        await endPasswordLinks(tx, userId)
        await mail?.(tx, account.email)
      }),

    /** Unlinks the provider and ends the sessions that it opened, except `ownSessionId`. */
    unlink: (userId: string, issuer: string, ownSessionId: string): Promise<void> =>
      inTransaction(db, async (tx) => {
        const account = await changeAccount(tx, userId)
        if (account?.password_hash === null) {
          throw new Failure(
            'conflict',
            'this is your only way to sign in: ask an administrator of your organization for a link to set a password first',
          )
        }
        await tx.deleteFrom('user_identity').where('user_id', '=', userId).where('issuer', '=', issuer).execute()
        await endPasswordLinks(tx, userId)
        await tx
          .deleteFrom('user_session')
          .where('user_id', '=', userId)
          .where('issuer', '=', issuer)
          .where('id', '!=', ownSessionId)
          .execute()
      }),

    /**
     * Accepts an invitation: the identity becomes the way to sign in of an account that has none yet. Whoever holds the
     * link may do so, as with a password.
     */
    accept: (tokenHash: Buffer, identity: Identity, at: Date): Promise<FoundAccount> =>
      inTransaction(db, async (tx) => {
        const link = await lockLink(tx, tokenHash, at)
        if (!link || link.organizationId === null || link.canSignIn) {
          throw new ProviderFailure('invitation-over', 'the invitation was used, has expired, or the account is in use')
        }
        const { userId, organizationId, mailed } = link
        await addIdentity(tx, userId, identity, at)
        await tx.deleteFrom('account_link').where('token_hash', '=', tokenHash).execute()
        await endPasswordLinks(tx, userId)
        await acceptMembership(tx, userId, organizationId)
        return firstIdentity(tx, userId, mailed)
      }),

    /**
     * Links an identity with the account of its verified address. Not where someone else may have a way to sign in: only
     * with an account that has none, or whose password was set with a mailed link.
     */
    linkByEmail: (email: string, identity: Identity, at: Date, mail?: MailLinked): Promise<FoundAccount | undefined> =>
      inTransaction(db, async (tx) => {
        const account = await tx
          .selectFrom('user_account')
          .where('email', '=', email)
          .select(['id', 'password_hash', 'password_by_mail'])
          .forUpdate()
          .executeTakeFirst()
        if (!account || (account.password_hash !== null && !account.password_by_mail)) return undefined
        const linked = await tx
          .selectFrom('user_identity')
          .where('user_id', '=', account.id)
          .select('subject')
          .executeTakeFirst()
        if (linked) return undefined
        await addIdentity(tx, account.id, identity, at)
        await endPasswordLinks(tx, account.id)
        await mail?.(tx, email)
        return firstIdentity(tx, account.id, true)
      }),
  }
}

/** Locks an account and counts a change of its identities. */
function changeAccount(tx: Kysely<Schema>, userId: string) {
  return tx
    .updateTable('user_account')
    .set((eb) => ({ identity_version: eb('identity_version', '+', 1) }))
    .where('id', '=', userId)
    .returning(['email', 'password_hash', 'identity_version'])
    .executeTakeFirst()
}

/** Counts the first identity of an account. `isOwners`: only the owner of the address can have added it. */
async function firstIdentity(tx: Kysely<Schema>, userId: string, isOwners: boolean): Promise<FoundAccount> {
  const changed = await tx
    .updateTable('user_account')
    .set((eb) => ({ identity_version: eb('identity_version', '+', 1), password_by_mail: isOwners }))
    .where('id', '=', userId)
    .returning(['email', 'password_hash', 'identity_version'])
    .executeTakeFirstOrThrow()
  return {
    userId,
    email: changed.email,
    passwordHash: changed.password_hash,
    identityVersion: changed.identity_version,
  }
}

async function addIdentity(tx: Kysely<Schema>, userId: string, identity: Identity, at: Date): Promise<void> {
  const { issuer, subject, email } = identity
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('user_identity')
    .values({ issuer, subject, user_id: userId, email, linked_at: at, last_used_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 1n) return
  const { rows } = await sql<{ user_id: string }>`
    SELECT user_id FROM user_identity WHERE issuer = ${issuer} AND subject = ${subject}`.execute(tx)
  if (rows[0]?.user_id === userId) return
  if (rows[0]) throw new ProviderFailure('taken', 'the identity is linked with another account')
  throw new ProviderFailure('already-linked', 'the account is linked with another identity of this provider')
}
