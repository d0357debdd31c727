import { catalogue } from './language.ts'

/** Signing in. */
export const signIn = catalogue('signIn', {
  title: 'Sign in',
  email: 'E-mail address',
  password: 'Password',
  submit: 'Sign in',
  failed: 'You are not signed in',
  ended: 'Your session has ended',
  endedHint: 'It expired, was signed out elsewhere, or ended with a new password. Sign in to return to this page.',
  forgot: 'Forgot your password?',
  lost: 'Lost your password? Ask an administrator of your organization for a new link.',
  insecure: 'Signing in does not work on this address',
  insecureHint:
    'The page was opened without HTTPS, so the browser cannot keep you signed in. Open its https:// address, or http://localhost on the machine itself.',
})

/** The setup page of a first start. */
export const setUp = catalogue('setUp', {
  title: 'Set up Plantroom',
  lead: 'Create your organization, its first site and your administrator account. You can add more later.',
  token: 'Setup token',
  tokenHint: "The cloud logs this page's address with the token at every start until setup is complete.",
  organization: 'Organization',
  site: 'First site',
  siteHint: 'The usual name of the building or property.',
  timeZone: 'Time zone of the site',
  timeZoneHint: 'Schedules and limits of the site use this time zone.',
  you: 'Your account',
  email: 'Your e-mail address',
  submit: 'Set up and sign in',
  failed: 'Setup failed',
  done: 'Plantroom is already set up',
  doneHint: 'Sign in with the e-mail address and password chosen during setup.',
  toSignIn: 'Go to sign in',
})

/** The page behind an invitation link. */
export const welcome = catalogue('welcome', {
  title: 'Welcome',
  lead: '{organization} invites you. Choose a password for {email}. You sign in with both from now on.',
  passwordTitle: 'Set a new password',
  passwordLead: 'Choose a new password for {email}. All your sessions end.',
  email: 'E-mail address',
  submit: 'Set password and sign in',
  failed: 'The password was not set',
  over: 'This link no longer works',
  overHint:
    'It was already used, has expired, or ended because your account changed. Ask the administrator who invited you for a new one.',
  missing: 'This link is incomplete',
  missingHint: 'Open it again from the message you received, or copy the whole link, including the part after the #.',
  toSignIn: 'Go to sign in',
})

/** An invitation for a person who already has an account. */
export const join = catalogue('join', {
  title: 'Join {organization}',
  lead: '{organization} invites {email}. Your account and your other organizations do not change.',
  otherAccount: 'You are signed in as {current}. Sign in as {email} to accept.',
  email: 'E-mail address',
  password: 'Password',
  submit: 'Join',
  failed: 'You have not joined',
})

/** Asking for a mail to set a new password. */
export const resetPassword = catalogue('resetPassword', {
  title: 'Reset your password',
  email: 'E-mail address',
  hint: 'We send a link to this address. It works once, within an hour.',
  submit: 'Send link',
  sent: 'If there is an account with this address, the link is on its way. Check your mail.',
  failed: 'The link was not sent',
  noMail: 'This service sends no mail. Ask an administrator of your organization for a new link.',
  toSignIn: 'Go to sign in',
})

export const passwords = catalogue('passwords', {
  new: 'New password',
  hint: 'At least {least} characters. Several words are easier to remember than symbols.',
  again: 'Repeat the new password',
  tooShort: 'The password needs at least {least} characters. This one has {now}.',
  different: 'The two passwords do not match.',
})
