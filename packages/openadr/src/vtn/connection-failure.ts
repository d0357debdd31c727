import { VtnFailure } from './vtn-failure.ts'

/** Why there was no answer, by the code of the error, and what to ask about it. */
const REASONS: readonly (readonly [code: RegExp, why: string, ask: string])[] = [
  [/^CERT_HAS_EXPIRED$/, 'its certificate has expired', 'When do you renew the certificate of this address?'],
  [
    /^CERT_NOT_YET_VALID$/,
    'its certificate is not valid yet',
    'From when on is the certificate of this address valid?',
  ],
  [
    /ALTNAME_INVALID$/,
    'its certificate is for another name',
    'Under which name is the VTN reached, with a certificate for it?',
  ],
  [
    /SELF_SIGNED|UNABLE_TO_(GET_ISSUER|VERIFY)|^CERT_UNTRUSTED$/,
    'its certificate is not signed by an authority that is trusted here',
    'Does the VTN send a certificate of a public authority, with the whole chain?',
  ],
  [
    /ALERT|HANDSHAKE_FAILURE|CERTIFICATE_REQUIRED/,
    'it ended the TLS handshake',
    'Which versions of TLS does the VTN have, and does it want a client certificate? We have only a client id and a secret.',
  ],
  [/^(EPROTO|ERR_SSL_)/, 'it does not speak TLS at this port', 'At which port does the VTN have https?'],
  [
    /^(ENOTFOUND|EAI_AGAIN)$/,
    'its name has no address',
    'What is the exact host name of the VTN, and is it in the public DNS?',
  ],
  [/^ECONNREFUSED$/, 'nothing listens there', 'Is the VTN up, and what is its port?'],
]

/** Turns an error of a connection into a failure that says what to ask. */
export function connectionFailure(url: string, cause: unknown): VtnFailure {
  const { host } = new URL(url)
  const { code, message } =
    cause instanceof Error ? (cause as Error & { code?: unknown }) : { code: '', message: String(cause) }
  const found = REASONS.find(([pattern]) => pattern.test(String(code ?? '')))
  const [, why, ask] = found ?? ['', '', 'Is the VTN up, and may we reach it from here?']
  // The words of the system go on, for who knows them.
  const said = why === '' ? message : `${why} (${String(code)})`
  return new VtnFailure('unreachable', `${host} does not answer: ${said}`, ask, { cause })
}
