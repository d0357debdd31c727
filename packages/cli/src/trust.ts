import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { CliConfig } from './config.ts'

/** Whoever runs the cloud with a certificate of its own (`PLANTROOM_TLS_CERT`) need not tell its client as well. */
export function trustOwnCertificate({ tlsCert }: Pick<CliConfig, 'tlsCert'>): void {
  if (tlsCert === undefined) return
  try {
    setDefaultCACertificates([...getCACertificates(), readFileSync(tlsCert, 'utf8')])
  } catch {
    // That it cannot be read is said by the cloud, which needs it.
  }
}
