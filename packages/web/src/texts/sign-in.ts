/** Signing in, the first set-up, and the welcome of someone who was invited. */
export const signIn = {
  title: 'Sign in',
  email: 'E-mail address',
  password: 'Password',
  submit: 'Sign in',
  failed: 'You are not signed in',
  lost: 'Lost your password? An administrator of your organization gives you a new link.',
  insecure: 'Signing in does not work here',
  insecureHint:
    'This page was opened without HTTPS: the browser would not keep you signed in. Open it by its https:// address, or on the machine itself as http://localhost.',
} as const

export const setUp = {
  title: 'Set up Plantroom',
  lead: 'Your organization, its first site, and you as its administrator. The rest can be added later.',
  token: 'Set-up token',
  tokenHint:
    'From the log of the cloud: it writes the address of this page with the token at every start, until this is done.',
  organization: 'Organization',
  site: 'First site',
  siteHint: 'A building or a property, as people call it.',
  timeZone: 'Time zone of the site',
  timeZoneHint: 'Schedules and limits of the site are meant by its clocks.',
  you: 'You',
  email: 'Your e-mail address',
  submit: 'Set up and sign in',
  failed: 'Not set up',
  done: 'Plantroom is set up already',
  doneHint: 'Sign in with the address and the password that were chosen then.',
  toSignIn: 'Go to sign in',
} as const

export const welcome = {
  title: 'Welcome',
  lead: (email: string) => `Choose a password for ${email}. With both you sign in from now on.`,
  email: 'E-mail address',
  submit: 'Set password and sign in',
  failed: 'The password is not set',
  over: 'This link does not work any more',
  overHint:
    'It was used already, a newer one was made, or it is older than 7 days. Ask the administrator who invited you for a new one.',
  missing: 'This link is not complete',
  missingHint: 'Open it once more from the message that you got, or copy all of it, also what stands behind the #.',
  toSignIn: 'Go to sign in',
} as const

export const passwords = {
  new: 'New password',
  hint: (least: number) => `At least ${least} characters. Several words are easier to keep than signs.`,
  again: 'The same password again',
  tooShort: (least: number, now: number) => `${least} characters are needed, this has ${now}.`,
  different: 'The two passwords are not the same.',
} as const
