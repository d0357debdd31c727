import type { Db } from '../../../platform/db/database.ts'

/** Queues mail about accounts, in the transaction of the change. Only present where SMTP is set. */
export interface AccountMailer {
  invite(tx: Db, mail: { to: string; organization: string; link: string }): Promise<void>
  /** `factor` says what was added, for example "a passkey". */
  factorAdded(tx: Db, mail: { to: string; factor: string }): Promise<void>
  /** `organization` names whose administrator or operator did it. */
  factorsRemoved(tx: Db, mail: { to: string; organization: string }): Promise<void>
  /** `provider` can open the account from now on, for `account` there if it names one. */
  providerLinked(tx: Db, mail: { to: string; provider: string; account: string | null }): Promise<void>
  /** Resolves with the id of the mail, which the outbox of the site lists if there is one. */
  test(
    tx: Db,
    mail: { to: string; organizationId: string; organization: string; siteId: string | null },
  ): Promise<string>
  resetPassword(tx: Db, mail: { to: string; link: string; expiresIn: string }): Promise<void>
}
