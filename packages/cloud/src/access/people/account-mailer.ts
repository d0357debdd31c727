import type { Db } from '../../db/database.ts'

/** Queues mail about accounts, in the transaction that makes the link. Only present where SMTP is set. */
export interface AccountMailer {
  invite(tx: Db, mail: { to: string; organization: string; link: string }): Promise<void>
  /** `provider` can open the account from now on, for `account` there if it names one. */
  providerLinked(tx: Db, mail: { to: string; provider: string; account: string | null }): Promise<void>
  resetPassword(tx: Db, mail: { to: string; link: string; expiresIn: string }): Promise<void>
}
