import { SESSION_COOKIE } from '@plantroom/contract/openapi'
import type { MemberRoles, SignedIn } from '@plantroom/contract/roles'
import { type Answer, asOperator, call } from '../../../testing/cloud.ts'
import type { Cloud } from '../../../wire/cloud.ts'

export const PASSWORD = 'correct horse battery staple'

/** The headers of a browser in which someone is signed in. */
export type SignedInHeaders = { cookie: string; origin: string }

/** The headers of a request from one of our own pages. */
export const fromOwnPage = (cloud: Cloud) => ({ origin: new URL(cloud.ready.baseUrl).origin })

/** The cookie an answer sets, as a browser sends it back. */
export function cookieOf({ headers }: Answer): string {
  const [pair = ''] = (headers.get('set-cookie') ?? '').split(';')
  if (!pair.startsWith(`${SESSION_COOKIE}=`)) throw new Error('the answer sets no session')
  return pair
}

/** Invites a person as the operator and accepts with `PASSWORD`, which signs them in. */
export async function addPerson(
  cloud: Cloud,
  orgId: string,
  email: string,
  roles: MemberRoles,
): Promise<{ userId: string; headers: SignedInHeaders }> {
  const added = await asOperator(cloud, 'POST', `/api/orgs/${orgId}/members`, { email, ...roles })
  const token = String(added.body.link).split('#')[1]
  const accepted = await call(cloud, 'PUT', '/api/invitation', {
    headers: fromOwnPage(cloud),
    body: { token, password: PASSWORD },
  })
  if (accepted.status !== 200) throw new Error(`${accepted.status}: ${JSON.stringify([added.body, accepted.body])}`)
  const { user } = accepted.body as unknown as SignedIn
  return { userId: user.id, headers: { ...fromOwnPage(cloud), cookie: cookieOf(accepted) } }
}

export function signIn(
  cloud: Cloud,
  email: string,
  password = PASSWORD,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return call(cloud, 'POST', '/api/session', {
    headers: { ...fromOwnPage(cloud), ...headers },
    body: { email, password },
  })
}
