import type { Db } from '../../db/database.ts'

export type InvitationStore = ReturnType<typeof createInvitationStore>

/** The links with which people set their password. */
export function createInvitationStore(db: Db) {
  return {
    /** Returns whose link this is; `undefined` when it is unknown, used or expired. */
    async find(tokenHash: Buffer, now: Date): Promise<{ email: string } | undefined> {
      return db
        .selectFrom('invitation')
        .innerJoin('user_account', 'user_account.id', 'invitation.user_id')
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '>', now)
        .select('email')
        .executeTakeFirst()
    },

    /** Sets the password with a link, which works once, and ends all sessions of the user. Returns the user's id. */
    accept: (tokenHash: Buffer, passwordHash: string, now: Date): Promise<string | undefined> =>
      db.transaction().execute(async (tx) => {
        // The second of two concurrent requests waits for this lock and then finds the link used.
        await tx
          .selectFrom('user_account')
          .innerJoin('invitation', 'invitation.user_id', 'user_account.id')
          .where('token_hash', '=', tokenHash)
          .select('id')
          .forUpdate('user_account')
          .execute()
        const used = await tx
          .deleteFrom('invitation')
          .where('token_hash', '=', tokenHash)
          .where('expires_at', '>', now)
          .returning('user_id')
          .executeTakeFirst()
        if (!used) return undefined
        await tx
          .updateTable('user_account')
          .set({ password_hash: passwordHash })
          .where('id', '=', used.user_id)
          .execute()
        await tx.deleteFrom('user_session').where('user_id', '=', used.user_id).execute()
        return used.user_id
      }),
  }
}
