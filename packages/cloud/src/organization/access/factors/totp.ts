const STEP_S = 30

/** Loaded on first use: few processes and tests need it. */
const otp = () => import('otplib')

/** A new secret for an authenticator app, and the address that a QR code shows. */
export async function makeTotp(email: string): Promise<{ secret: string; uri: string }> {
  const { generateSecret, generateURI } = await otp()
  const secret = generateSecret()
  return { secret, uri: generateURI({ issuer: 'Plantroom', label: email, secret }) }
}

/** Returns the time step of a code that is right now, or was or will be one step away; otherwise `undefined`. */
export async function stepOfCode(secret: string, typed: string, now: number): Promise<number | undefined> {
  const token = typed.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const { verify } = await otp()
  const epoch = Math.floor(now / 1000)
  const found = await verify({ secret, token, epoch, period: STEP_S, epochTolerance: STEP_S })
  // The library counts its tolerance in seconds, so a code of two steps ago could still pass.
  if (!found.valid || !('timeStep' in found)) return undefined
  return Math.abs(found.timeStep - Math.floor(epoch / STEP_S)) <= 1 ? found.timeStep : undefined
}
