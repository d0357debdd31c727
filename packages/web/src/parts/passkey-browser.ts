/** The browser used no passkey: the person cancelled, or there is none. */
export class PasskeyError extends Error {}

/** Reports whether passkeys work on this page: browsers refuse them at IP addresses and without HTTPS. */
export function hasPasskeys(): boolean {
  const isAddress = /^[\d.]+$|^\[/.test(location.hostname)
  return window.isSecureContext && !isAddress && typeof window.PublicKeyCredential === 'function'
}

type Options = Readonly<Record<string, unknown>>

/** Lets the browser create a passkey and returns what the service needs of it. */
export function createPasskey(options: Options): Promise<Record<string, unknown>> {
  const creation = options as unknown as PublicKeyCredentialCreationOptionsJSON
  return answer(() =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(creation) }),
  )
}

/** Lets the person use one of their passkeys and returns what the service needs of it. */
export function signWithPasskey(options: Options): Promise<Record<string, unknown>> {
  const request = options as unknown as PublicKeyCredentialRequestOptionsJSON
  return answer(() =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(request) }),
  )
}

async function answer(ask: () => Promise<Credential | null>): Promise<Record<string, unknown>> {
  try {
    const credential = await ask()
    if (credential instanceof PublicKeyCredential) return credential.toJSON() as unknown as Record<string, unknown>
  } catch (error) {
    throw new PasskeyError(String(error))
  }
  throw new PasskeyError('the browser returned no passkey')
}
