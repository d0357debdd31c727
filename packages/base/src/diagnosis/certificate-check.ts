import { createPrivateKey, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { getCACertificates } from 'node:tls'
import { type Finding, ok, problem, warning } from './check.ts'

const DAY_MS = 86_400_000
const SOON_DAYS = 21
const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

interface Served {
  cert: Buffer
  key: Buffer
  /** The name that clients use, if it is known. */
  hostname: string | undefined
  now: number
}

/** Checks a certificate as its clients will: dates, name, chain and key. */
export function checkCertificate({ cert, key, hostname, now }: Served): Finding[] {
  const chain = [...cert.toString().matchAll(BLOCK)].map(([text]) => new X509Certificate(text))
  const [leaf] = chain
  if (!leaf)
    return [problem('PLANTROOM_TLS_CERT has no certificate', 'give the PEM file of the certificate and its chain')]
  const findings = [...chain.map((one) => dateFinding(one, now, one === leaf))]
  if (!leaf.checkPrivateKey(createPrivateKey(key))) {
    findings.push(
      problem('the key does not belong to the certificate', 'set PLANTROOM_TLS_KEY to the key it was issued for'),
    )
  }
  if (hostname !== undefined && !isNamed(leaf, hostname)) {
    findings.push(
      problem(
        `the certificate is not for ${hostname} (${leaf.subjectAltName ?? 'it names no host'})`,
        'get a certificate for the host of PLANTROOM_PUBLIC_URL',
      ),
    )
  }
  const broken = chainProblem(chain)
  if (broken) findings.push(broken)
  // What is right about every certificate of the chain is one line.
  const [good] = findings.filter(({ level }) => level === 'ok')
  return [...(good ? [good] : []), ...findings.filter(({ level }) => level !== 'ok')]
}

function dateFinding({ validFromDate, validToDate, subject }: X509Certificate, now: number, isLeaf: boolean): Finding {
  const name = isLeaf ? 'the certificate' : `the certificate of ${subject.replaceAll('\n', ', ')} in the chain`
  const until = validToDate.toISOString().slice(0, 10)
  const renew = 'renew it, then restart the cloud'
  if (validToDate.getTime() <= now) return problem(`${name} has expired on ${until}`, renew)
  if (validFromDate.getTime() > now) {
    return problem(`${name} is not valid before ${validFromDate.toISOString()}`, 'check the clock of this machine')
  }
  const days = Math.floor((validToDate.getTime() - now) / DAY_MS)
  return days < SOON_DAYS
    ? warning(`${name} expires in ${days} days, on ${until}`, renew)
    : ok(`${name} is valid until ${until}`)
}

function isNamed(leaf: X509Certificate, hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return (isIP(host) === 0 ? leaf.checkHost(host) : leaf.checkIP(host)) !== undefined
}

function chainProblem(chain: readonly X509Certificate[]): Finding | undefined {
  const order = 'put the certificate first and each issuer after it, as in the fullchain.pem of an ACME client'
  for (const [index, one] of chain.entries()) {
    const issuer = chain[index + 1]
    if (issuer && !one.checkIssued(issuer)) return problem('the chain is in the wrong order or has a gap', order)
  }
  const last = chain.at(-1)
  if (!last || last.checkIssued(last)) {
    return chain.length > 1
      ? undefined
      : warning('the certificate is self-signed', 'give it to every client, or get one from an authority')
  }
  const isKnown = getCACertificates('default').some((text) => last.checkIssued(new X509Certificate(text)))
  return isKnown
    ? undefined
    : warning(
        `the chain does not lead to an authority that this machine knows (${last.issuer.replaceAll('\n', ', ')})`,
        'append the certificates between yours and the authority, or set NODE_EXTRA_CA_CERTS for your own authority',
      )
}
