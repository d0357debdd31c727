import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

export interface Certificate {
  certFile: string
  keyFile: string
}

/** Makes a self-signed certificate. */
export function makeCertificate(folder: string, subject = 'IP:127.0.0.1'): Certificate {
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
      ...['-subj', '/CN=equipment', '-addext', `subjectAltName=${subject}`],
      ...['-keyout', keyFile, '-out', certFile],
    ],
    { stdio: 'pipe' },
  )
  return { certFile, keyFile }
}
