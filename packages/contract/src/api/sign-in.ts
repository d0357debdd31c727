import { email, name, timeZone } from '../fields.ts'
import { SignedIn } from '../roles.ts'
import { route } from '../route.ts'
import { boolean, object, text } from '../schema.ts'

/** Text that a person types and that is only compared. */
const typed = text({ maxLength: 1024 })
export const newPassword = text({ minLength: 12, maxLength: 1024 })
const tag = 'Sign in'
const fromOwnPages = { by: 'anyone', fromOwnPages: true } as const

/** Signing in and out, invitations and the first start. */
export const signInRoutes = {
  getSession: route({
    method: 'GET',
    path: '/api/session',
    access: { by: 'session' },
    tag,
    summary: 'The signed-in person, and what they may see',
    reply: SignedIn,
  }),
  signIn: route({
    method: 'POST',
    path: '/api/session',
    access: fromOwnPages,
    tag,
    summary: 'Sign in; the session is a cookie',
    body: object({ email: typed, password: typed }),
    reply: SignedIn,
  }),
  signOut: route({
    method: 'DELETE',
    path: '/api/session',
    access: { by: 'session' },
    tag,
    summary: 'Sign out',
    status: 204,
  }),
  changePassword: route({
    method: 'PUT',
    path: '/api/session/password',
    access: { by: 'session' },
    tag,
    summary: 'Change your own password; all your other sessions end',
    body: object({ current: typed, password: newPassword }),
    status: 204,
  }),
  findInvitation: route({
    method: 'POST',
    path: '/api/invitation',
    access: { by: 'anyone' },
    tag,
    summary: 'The address that an invitation link was made for',
    body: object({ token: typed }),
    reply: object({ email: text() }),
  }),
  acceptInvitation: route({
    method: 'PUT',
    path: '/api/invitation',
    access: fromOwnPages,
    tag,
    summary: 'Set a password with an invitation link, once, and sign in',
    body: object({ token: typed, password: newPassword }),
    reply: SignedIn,
  }),
  getSetup: route({
    method: 'GET',
    path: '/api/setup',
    access: { by: 'anyone' },
    tag,
    summary: 'Whether this is a first start: no one can sign in yet',
    reply: object({ needed: boolean() }),
  }),
  setUp: route({
    method: 'POST',
    path: '/api/setup',
    access: fromOwnPages,
    tag,
    summary: 'Set up a first start, with the token from the log of the server',
    body: object({ token: typed, organization: name, site: name, timeZone, email, password: newPassword }),
    reply: SignedIn,
  }),
} as const
