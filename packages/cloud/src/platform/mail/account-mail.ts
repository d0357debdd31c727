import type { Db } from '../db/database.ts'
import { oneLine } from './comment-mail.ts'
import { queueMail } from './outbox-store.ts'

interface Mail {
  subject: string
  body: string
}

/**
 * Queues mail about accounts in the transaction of the caller. It belongs to no site, so no outbox shows it, except for a
 * test mail.
 */
export function createAccountMailer() {
  const queue = async (tx: Db, recipient: string, mail: Mail): Promise<void> => {
    await queueMail(tx, { organizationId: '', siteId: null, requestId: null, recipient, ...mail })
  }
  return {
    invite: (tx: Db, { to, ...rest }: { to: string; organization: string; link: string }) =>
      queue(tx, to, invitationMail(rest)),
    resetPassword: (tx: Db, { to, ...rest }: { to: string; link: string; expiresIn: string }) =>
      queue(tx, to, resetMail(rest)),
    factorAdded: (tx: Db, { to, ...rest }: { to: string; factor: string }) => queue(tx, to, factorAddedMail(rest)),
    factorsRemoved: (tx: Db, { to, ...rest }: { to: string; organization: string }) =>
      queue(tx, to, factorsRemovedMail(rest)),
    providerLinked: (tx: Db, { to, ...rest }: { to: string; provider: string; account: string | null }) =>
      queue(tx, to, providerLinkedMail(rest)),
    test: (
      tx: Db,
      {
        to,
        organization,
        ...place
      }: { to: string; organizationId: string; organization: string; siteId: string | null },
    ) => queueMail(tx, { ...place, requestId: null, recipient: to, ...testMail({ organization }) }),
  }
}

export function invitationMail({ organization, link }: { organization: string; link: string }): Mail {
  const name = oneLine(organization)
  return {
    subject: `Invitation to ${name} on Plantroom`,
    body: [
      `${name} invites you to Plantroom. Open this link within 7 days to accept:`,
      '',
      link,
      '',
      'If you do not know why you receive this message, ignore it: nothing happens unless you accept.',
      '',
    ].join('\n'),
  }
}

export function testMail({ organization }: { organization: string }): Mail {
  return {
    subject: 'Test mail from Plantroom',
    body: [
      `This is a test mail for ${oneLine(organization)}. It took the way that alerts, invitations and comments take.`,
      '',
      'If you did not ask for it, an administrator of your organization or the operator of the service did.',
      '',
    ].join('\n'),
  }
}

export function resetMail({ link, expiresIn }: { link: string; expiresIn: string }): Mail {
  return {
    subject: 'Set a new password for Plantroom',
    body: [
      `Open this link within ${expiresIn} to set a new password. It works once:`,
      '',
      link,
      '',
      'If you did not ask for it, ignore this message: your password stays as it is.',
      '',
    ].join('\n'),
  }
}

export function factorsRemovedMail({ organization }: { organization: string }): Mail {
  const name = oneLine(organization)
  return {
    subject: 'Your second factors for Plantroom were removed',
    body: [
      `An administrator of ${name}, or the operator of the service, removed your authenticator app, passkeys and recovery codes.`,
      'All your sessions have ended. Sign in with your password and set up a new second factor on your account page.',
      '',
      'If you did not ask for this, change your password and inform an administrator of your organization.',
      '',
    ].join('\n'),
  }
}

export function factorAddedMail({ factor }: { factor: string }): Mail {
  return {
    subject: 'A second factor was added to your Plantroom account',
    body: [
      `You can now sign in to Plantroom with ${factor} that was added to your account.`,
      '',
      'If you did not add it, sign in, remove it on your account page and change your password. If you cannot sign in, ask an administrator of your organization.',
      '',
    ].join('\n'),
  }
}

export function providerLinkedMail({ provider, account }: { provider: string; account: string | null }): Mail {
  const name = oneLine(provider)
  return {
    subject: `${name} was linked with your Plantroom account`,
    body: [
      account === null
        ? `You can now sign in to Plantroom with ${name}.`
        : `You can now sign in to Plantroom with ${name}, as ${oneLine(account)}.`,
      '',
      'If you did not link it, sign in, unlink it on your account page and change your password. If you cannot sign in, reset your password: this unlinks it, too.',
      '',
    ].join('\n'),
  }
}
