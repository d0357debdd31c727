import type { ProviderProblem } from '@plantroom/contract/api'
import { catalogue } from './language.ts'

/** Signing in through a provider such as the single sign-on of a company. */
export const providers = catalogue('providers', {
  or: 'or',
  signIn: 'Sign in with {name}',
  accept: 'Accept with {name}',
  failedTitle: 'You are not signed in',
  acceptFailed: 'You have not accepted',
  problems: {
    unreachable: '{name} does not answer. Try again in a few minutes, or sign in with your password.',
    failed:
      'The sign-in through {name} failed. Try again. If it keeps failing, ask the operator of this service. Its log has the reason.',
    clock:
      'The clocks of {name} and of this service differ too much. Ask the operator of this service to correct the time.',
    denied: 'You cancelled, or {name} gives you no access to this service. Try again, or ask its administrator.',
    expired: 'The sign-in took longer than 10 minutes, was used before, or began in another browser. Start again here.',
    'not-linked':
      'Your account at {name} is not linked with an account here. If you have a password, sign in with it and link {name} on your account page. If you are invited, open the invitation and accept it with {name}.',
    taken:
      'This account at {name} is linked with another account of this service. Sign out at {name}, then sign in there with your own.',
    'already-linked': 'You are linked with another account at {name}. Unlink it first.',
    'invitation-over':
      'This invitation was already used, was withdrawn or has expired. Ask the administrator who invited you for a new one.',
    'other-invitation':
      'You are signed in, but the invitation is for another account, or it was already used or has expired. Ask the administrator who invited you for a new one.',
    changed: 'Your account or your session changed in the meantime. Sign in again, then repeat it.',
    'too-many': 'Too many sign-ins from your network failed. Try again in 15 minutes, or sign in with your password.',
  } satisfies Record<ProviderProblem, string>,
  methods: {
    title: 'Ways to sign in',
    noPassword:
      'You have no password, so you cannot unlink {name}. To set one, sign out and reset your password, or ask an administrator of your organization for a link. This unlinks {name}.',
    linkedAs: '{name} has been linked as {account} since {time}.',
    linked: '{name} has been linked since {time}.',
    notLinked: '{name} is not linked. Link it to sign in without your password.',
    link: 'Link {name}',
    unlink: 'Unlink {name}',
    unlinkHint: 'Unlinking also signs out all other browsers that signed in with {name}.',
    failedTitle: 'Nothing was changed',
  },
})
