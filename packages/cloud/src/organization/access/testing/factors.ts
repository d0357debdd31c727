import { generate } from 'otplib'
import { type Answer, call } from '../../../testing/cloud.ts'
import type { Cloud } from '../../../wire/cloud.ts'
import type { SignedInHeaders } from './people.ts'

/** The code that an app shows now. */
export const codeOf = (secret: string): Promise<string> => generate({ secret })

/** Sets up an authenticator app for a signed-in person. */
export async function setUpTotp(cloud: Cloud, headers: SignedInHeaders) {
  const started = await call(cloud, 'POST', '/api/session/totp', { headers })
  const secret = String(started.body.secret)
  const confirmed = await call(cloud, 'PUT', '/api/session/totp', { headers, body: { code: await codeOf(secret) } })
  if (confirmed.status !== 200) throw new Error(JSON.stringify([started.body, confirmed.body]))
  return { secret, recoveryCodes: confirmed.body.recoveryCodes as string[] }
}

/** The cookies an answer sets, as a browser sends them back. */
export const cookiesOf = ({ headers }: Answer): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
